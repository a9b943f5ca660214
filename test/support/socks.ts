import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** A SOCKS proxy (RFC 1928, RFC 1929, and SOCKS 4 with 4A). */
export interface TestSocks {
  readonly port: number;
  /** What it was asked for: version, `HOST:PORT` as the client said it, and the user. */
  readonly asked: readonly string[];
}

/** Starts a SOCKS proxy that leads every host to 127.0.0.1; it is stopped after the tests of the file. */
export async function startSocks(): Promise<TestSocks> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    serve(client, asked).catch(() => client.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

async function serve(client: Socket, asked: string[]): Promise<void> {
  const read = reader(client);
  const [version] = await read(1);
  const to = version === 4 ? await version4(read) : await version5(client, read);
  asked.push(`${version} ${to.host}:${to.port}${to.user === '' ? '' : ` ${to.user}`}`);
  const target = connect(to.port, '127.0.0.1', () => {
    client.write(version === 4 ? Buffer.from([0, 90, 0, 0, 0, 0, 0, 0]) : Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    target.pipe(client);
    client.pipe(target);
  });
  target.on('error', () => client.destroy());
}

interface Wanted {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

type Read = (count: number) => Promise<Buffer>;

async function version4(read: Read): Promise<Wanted> {
  const head = await read(7);
  const address = [...head.subarray(3)];
  const user = await readString(read);
  const named = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  return { host: named ? await readString(read) : address.join('.'), port: head.readUInt16BE(1), user };
}

async function version5(client: Socket, read: Read): Promise<Wanted> {
  const methods = await read((await read(1))[0]!);
  const login = methods.includes(2);
  client.write(Buffer.from([5, login ? 2 : 0]));
  let user = '';
  if (login) {
    await read(1);
    user = (await read((await read(1))[0]!)).toString();
    user += `:${await read((await read(1))[0]!)}`;
    client.write(Buffer.from([1, 0]));
  }
  const kind = (await read(4))[3];
  const host =
    kind === 3
      ? (await read((await read(1))[0]!)).toString()
      : kind === 4
        ? `[${(await read(16)).toString('hex')}]`
        : [...(await read(4))].join('.');
  return { host, port: (await read(2)).readUInt16BE(0), user };
}

async function readString(read: Read): Promise<string> {
  let text = '';
  for (;;) {
    const [byte] = await read(1);
    if (byte === 0) return text;
    text += String.fromCharCode(byte!);
  }
}

/** Reads that many bytes of a socket, and leaves the rest in it. */
function reader(socket: Socket): Read {
  return async (count) => {
    for (;;) {
      const bytes: Buffer | null = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (bytes) return bytes;
      await new Promise((settle, reject) => {
        socket.once('readable', settle);
        socket.once('close', () => reject(new Error('closed')));
      });
    }
  };
}
