// Clients that nobody wishes for, COUNT at a time, until standard input ends: node soak-clients.ts URL PATH COUNT
// They are slow, idle and broken by turns, and come back when they are cut. Prints `up` once all are there.
import { connect, type Socket } from 'node:net';

const [url = '', path = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const ask = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const size = 1_000_000_000;

/** What a client does with its connection, and when it gives it up, in milliseconds. */
interface Kind {
  readonly begin: (socket: Socket) => void;
  /** Done again and again, every `every` milliseconds. */
  readonly go?: (socket: Socket) => void;
  readonly every?: number;
  readonly life: number;
}

const readAll = (socket: Socket): void => void socket.resume();
const kinds: readonly Kind[] = [
  // Says nothing.
  { begin: readAll, life: 120_000 },
  // Says nothing more.
  { begin: (socket) => readAll(socket.on('connect', () => socket.write(ask.replace(path, '/v2/')))), life: 120_000 },
  // Begins a request, and sends a byte of it now and then.
  {
    begin: (socket) => socket.write(ask.slice(0, -2)) && readAll(socket),
    go: (socket) => socket.write('x'),
    every: 2000,
    life: 120_000,
  },
  // Asks for much, and reads nothing of it.
  { begin: (socket) => void socket.write(ask), life: 20_000 },
  { begin: (socket) => void socket.write(ask.replace('\r\n\r\n', '\r\nrange: bytes=3-\r\n\r\n')), life: 60_000 },
  // Reads slowly.
  {
    begin: (socket) => {
      socket.write(ask);
      socket.on('data', () => socket.pause());
    },
    go: (socket) => socket.resume(),
    every: 500,
    life: 60_000,
  },
  // Sends much, and slowly.
  {
    begin: (socket) => {
      socket.write(`POST /v2/a/b/blobs/uploads/ HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
      readAll(socket);
    },
    go: (socket) => socket.write(Buffer.alloc(1000)),
    every: 1000,
    life: 60_000,
  },
  // Says what is no request, or half of one, and goes.
  { begin: (socket) => void socket.write('\u0000\u0016\u0003 no HTTP\r\n\r\n'), life: 3000 },
  { begin: (socket) => void socket.write(ask.slice(0, 20)), life: 3000 },
  { begin: (socket) => void socket.write(ask), life: 3000 },
];

const counts = { opened: 0, up: 0 };
let ended = false;

function run(kind: Kind): void {
  const socket = connect({ host: hostname, port: Number(port) });
  counts.opened += 1;
  // Clock: a client lives for a while.
  const timers = [setTimeout(() => socket.resetAndDestroy(), kind.life)];
  // Clock: a client acts at intervals.
  if (kind.go) timers.push(setInterval(() => socket.writable && kind.go?.(socket), kind.every));
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    counts.up += 1;
    if (counts.up === Number(count)) console.log('up');
    kind.begin(socket);
  });
  socket.on('close', () => {
    for (const timer of timers) clearTimeout(timer);
    // Clock: another one comes in its place.
    if (!ended) setTimeout(run, 1000, kind);
  });
}

// Clock: they come one after the other.
for (let number = 0; number < Number(count); number += 1) setTimeout(run, number, kinds[number % kinds.length]!);
process.stdin.resume().on('end', () => {
  ended = true;
  console.log(JSON.stringify(counts));
  process.exit();
});
