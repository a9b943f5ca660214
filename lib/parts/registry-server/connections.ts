import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from './reply.ts';

/** Connections that are accepted beyond the limit before any is cut, so that probes get through. */
const SPARE = 512;
/** How long a connection has to be idle before it may be cut, in milliseconds. */
const SILENT = 1000;
/** How often idle connections are looked for, in milliseconds. */
const LOOK = 500;
/** Most requests that one connection may have under way: some clients send many without waiting for the answers. */
const AHEAD = 4;

/** A connection and what it is doing. */
interface Connection {
  readonly socket: Socket;
  /** How many requests are under way, and when the last one ended, in milliseconds. */
  running: number;
  since: number;
  /** Whether it ever sent a request. */
  asked: boolean;
}

/** Counts the connections and the requests of a server, and limits both. */
export interface ConnectionLimit {
  /**
   * Notes that a request began, and returns a function that notes its end. Throws `Refusal` 429 or 503 where there are
   * too many.
   */
  begin(request: IncomingMessage, exempt: boolean): () => void;
  facts(): { readonly connections: number };
}

/**
 * Limits a server to `most` connections and `most` requests under way. Beyond that it cuts idle connections: first
 * those that never sent a request, then the others, the longest idle first. Where there are too many requests, `evict`
 * has to free the place of one, and returns whether it could. `onCut` is called for each connection that was cut.
 */
export function limitConnections(
  server: Server,
  most: number,
  evict: () => boolean,
  onCut: () => void,
): ConnectionLimit {
  // With TLS there are two sockets for each connection, with the same two addresses.
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
