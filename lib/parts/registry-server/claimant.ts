import type { Socket } from 'node:net';
import type { Exchange } from './reply.ts';

/** A client that needs memory. */
export interface Claimant {
  /** Bytes that were sent over its connection. */
  sent: number;
  /** Cuts its connection, which gives its memory back. */
  cut(): void;
  /** Calls `then` when it disconnects. Returns a function that cancels this. */
  gone(then: () => void): () => void;
}

const claimants = new WeakMap<Socket, Claimant>();

/** Returns the client of a request. */
export function claimantOf({ request: { socket } }: Exchange): Claimant {
  const known = claimants.get(socket);
  if (known) return known;
  const claimant: Claimant = {
    sent: 0,
    cut: () => void socket.destroy(),
    gone: (then) => {
      if (socket.destroyed) queueMicrotask(then);
      socket.once('close', then);
      return () => void socket.off('close', then);
    },
  };
  claimants.set(socket, claimant);
  return claimant;
}

/** Makes the error of a client that has disconnected, which is nobody's fault here. */
export function leftError(): Error {
  return Object.assign(new Error('the client has gone'), { code: 'ECONNRESET' });
}
