import { connect, type NetConnectOpts } from 'node:net';

/**
 * Connects for a moment, and returns the error of the system by which that failed; undefined where somebody listens
 * there.
 */
export function whyNoSocket(at: string | NetConnectOpts, signal: AbortSignal): Promise<Error | undefined> {
  return new Promise((settle) => {
    const socket = typeof at === 'string' ? connect(at) : connect(at);
    const end = (why: Error | undefined): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      settle(why);
    };
    const abort = (): void => end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', end);
    socket.once('connect', () => end(undefined));
  });
}
