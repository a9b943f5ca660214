import { isIP } from 'node:net';
import { tls } from './node.ts';

/** From when until when a certificate is good. */
export interface CertificateTerm {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Returns from when until when the certificate is good that a server shows at an https:// address, whoever has signed
 * it; nothing is asked of the server. Undefined where nobody speaks TLS there. Throws the reason of `signal` where that
 * is aborted.
 */
export function peerCertificate(
  { hostname, port }: URL,
  signal: AbortSignal,
  name?: string,
): Promise<CertificateTerm | undefined> {
  signal.throwIfAborted();
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = name ?? (isIP(host) === 0 ? host : '');
  return new Promise((settle, reject) => {
    const options = { host, port: Number(port || 443), servername, rejectUnauthorized: false };
    const socket = tls().connect(options, () => {
      const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
      end();
      settle(from === undefined || to === undefined ? undefined : { from: new Date(from), to: new Date(to) });
    });
    const abort = (): void => {
      end();
      reject(signal.reason);
    };
    const end = (): void => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', () => {
      end();
      settle(undefined);
    });
  });
}
