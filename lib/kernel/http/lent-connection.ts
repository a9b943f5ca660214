import type { AgentOptions } from 'node:https';
import { connect, type OnReadOpts, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { AnswerHead } from './answer-head.ts';
import { Intake, type MemoryFor } from './intake.ts';
import { tls } from './node.ts';
import { serverName } from './proxy.ts';

/** A connection whose bytes the system puts right into the memory that they are wanted in. */
export interface LentConnection {
  readonly socket: Socket;
  /** Whether all of the last answer was received, so that another request can be sent. */
  readonly resting: boolean;
  /** Gets each count of bytes that arrives. */
  onBytes: (count: number) => void;
  /**
   * Sends the head of a request, and resolves to that of its answer, whose body goes into what `memoryFor` that head
   * gives; to `other` where the answer is of another form than is read here. Throws the system's errors.
   */
  ask(head: string, memoryFor: MemoryFor): Promise<AnswerHead | 'other'>;
  /** Resolves to the next bytes of the body, to undefined after the last. Throws the system's errors. */
  receive(): Promise<Uint8Array | undefined>;
  /**
   * Hands the connection over to a full client, which sees the answer from its first byte, and whose request is not
   * sent again.
   */
  handOver(): Duplex;
}

/** Connects to the server of `url`: with TLS as `options` say, or without. The connection need not stand yet. */
export function openLent(url: URL, options: AgentOptions): LentConnection {
  const intake = new Intake();
  let wake = (): void => undefined;
  let taker: Duplex | undefined;
  const callback = (count: number, into: Uint8Array): boolean => {
    if (taker) return taker.push(Buffer.from(into.subarray(0, count)));
    connection.onBytes(count);
    // Nobody has asked for what follows an answer.
    if (intake.expects === 'nothing') socket.destroy();
    intake.arrived(count);
    if (intake.head !== undefined) wake();
    // Where nothing is expected, the end of the connection is.
    return intake.expects !== 'body' || intake.ready.length === 0;
  };
  const socket = socketTo(url, options, { buffer: () => intake.space(), callback });
  socket.on('error', () => undefined);
  socket.on('close', () => wake());

  const arrival = async (): Promise<void> => {
    if (socket.destroyed) {
      intake.giveUp();
      throw socket.errored ?? hungUp();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    socket.resume();
    await promise;
  };
  const connection: LentConnection = {
    socket,
    get resting() {
      return intake.expects === 'nothing' && intake.ready.length === 0 && !socket.destroyed;
    },
    onBytes: () => undefined,
    ask: async (text, memoryFor) => {
      intake.begin(memoryFor);
      if (!socket.destroyed) socket.write(text, 'latin1');
      while (intake.head === undefined) await arrival();
      return intake.head;
    },
    receive: async () => {
      for (;;) {
        const chunk = intake.ready.shift();
        if (chunk || intake.expects !== 'body') return chunk;
        await arrival().catch((error) => {
          if (intake.ready.length === 0) throw error;
        });
      }
    },
    handOver: () => {
      taker = takerOf(socket, intake.unread);
      return taker;
    },
  };
  return connection;
}

function socketTo(url: URL, options: AgentOptions, onread: OnReadOpts): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const { lookup } = options;
  const to = {
    ...(lookup ? { lookup } : {}),
    host,
    port: Number(url.port === '' ? (secure ? 443 : 80) : url.port),
    noDelay: true,
    onread,
  };
  if (!secure) return connect(to);
  // Types leave out that TLS reads into such memory too.
  return tls().connect({ ...serverName(host), ...options, ...to, ALPNProtocols: ['http/1.1'] } as object);
}

/**
 * Makes a connection of what is left of one: bytes that have arrived, and those to come. What is written was sent
 * already.
 */
function takerOf(socket: Socket, arrived: Uint8Array): Duplex {
  const taker = new Duplex({
    read: () => void socket.resume(),
    write: (_chunk, _encoding, done) => done(),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  const ended = (): void => {
    if (socket.errored) taker.destroy(socket.errored);
    else if (!taker.destroyed) taker.push(null);
  };
  taker.push(arrived);
  if (socket.destroyed) ended();
  else socket.on('close', ended);
  return taker;
}

function hungUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}
