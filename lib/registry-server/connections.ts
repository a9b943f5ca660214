import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from './reply.ts';

/** Connections beyond the cap that are looked at before they are cut, so that probes get through. */
const SPARE = 512;
/** How long a connection may say nothing before it is cut where there are too many, in milliseconds. */
const SILENT = 1000;
/** How often that is looked at, in milliseconds. */
const LOOK = 500;
/** Requests that one connection may have under way: clients that send many ahead do not wait for their answers. */
const AHEAD = 4;

/** A connection, and what goes on there. */
interface Connection {
  readonly socket: Socket;
  /** Requests under way, and when there was none for the last time, in milliseconds. */
  running: number;
  since: number;
  /** Whether it has ever asked for something. */
  asked: boolean;
}

/** The connections of a server, of which there are so many and no more. */
export interface ConnectionLimit {
  /** Notes that a request began; gives a function that notes its end. Throws `Refusal` 429 or 503 where it is one too many. */
  begin(request: IncomingMessage, exempt: boolean): () => void;
  facts(): { readonly connections: number };
}

/**
 * Keeps a server to `most` connections. Where there are more, those go that wait for nothing: first who never asked, then who asks no
 * longer, the oldest first. `most` requests may be under way; `evict` makes room for another one, and tells whether it could.
 * `onCut` is told of each connection that was cut.
 */
export function limitConnections(
  server: Server,
  most: number,
  evict: () => boolean,
  onCut: () => void,
): ConnectionLimit {
  // TLS has a socket of its own for each connection, whose ends are the same.
  const open = new Map<string, Connection>();
  let running = 0;
  const cut = (connection: Connection): void => {
    onCut();
    connection.socket.destroy();
  };
  /** Cuts up to `count` connections that have been idle for `idle` milliseconds. */
  const trim = (count: number, idle: number): number => {
    const now = performance.now();
    const over = [...open.values()].filter(
      (one) => one.running === 0 && now - one.since >= idle && !one.socket.destroyed,
    );
    const order = over.sort((a, b) => Number(a.asked) - Number(b.asked) || a.since - b.since).slice(0, count);
    for (const one of order) cut(one);
    return order.length;
  };
  const timer = setInterval(() => {
    if (open.size > most) trim(open.size - most, SILENT);
  }, LOOK).unref();
  server.on('close', () => clearInterval(timer));
  server.on('connection', (socket: Socket) => {
    const key = addressOf(socket);
    const connection = { socket, running: 0, since: performance.now(), asked: false };
    open.set(key, connection);
    socket.once('close', () => {
      if (open.get(key) === connection) open.delete(key);
    });
    if (open.size > most + SPARE && trim(SPARE / 2, 0) === 0) cut(connection);
  });
  return {
    begin: ({ socket }, exempt) => {
      const connection = open.get(addressOf(socket));
      if (connection) {
        connection.asked = true;
        if (connection.running >= AHEAD) throw tooMany(429, 'too many requests at once by one connection');
      }
      if (!exempt && running >= most && !evict()) throw tooMany(503, 'too many requests at once');
      running += 1;
      if (connection) connection.running += 1;
      return () => {
        running -= 1;
        if (!connection) return;
        connection.running -= 1;
        connection.since = performance.now();
      };
    },
    facts: () => ({ connections: open.size }),
  };
}

function tooMany(status: 429 | 503, message: string): Refusal {
  const headers = { 'retry-after': '1', connection: 'close' };
  return new Refusal(status, status === 429 ? 'TOOMANYREQUESTS' : 'UNKNOWN', message, headers);
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
