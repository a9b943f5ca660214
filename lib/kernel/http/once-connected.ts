import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/**
 * Calls `work` once the socket is ready for a request, which one that was kept, handed over, or made by a proxy, is at
 * once.
 */
export function onceConnected(socket: Socket, secure: boolean, work: () => void): void {
  const ready =
    secure && 'getFinished' in socket ? (socket as TLSSocket).getFinished() !== undefined : !socket.connecting;
  if (ready) work();
  else socket.once(secure ? 'secureConnect' : 'connect', work);
}
