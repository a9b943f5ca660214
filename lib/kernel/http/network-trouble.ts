import { codeOf, reasonOf } from '../events/index.ts';
import { ProxyError, RedirectError, StalledError } from './transport-errors.ts';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection was closed early',
  EPIPE: 'the connection was closed early',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was closed early',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
};

/** How messages speak of the other side. */
export interface Peer {
  /** What it is called: `registry`, `server`. */
  readonly name: string;
  /** What to do where its certificate is not trusted. */
  readonly untrusted: string;
}

/** Why an exchange failed on the way, and what to do about it. */
export interface NetworkTrouble {
  readonly reason: string;
  readonly hint: string;
  /** Whether the server itself sent to a place where nobody should go. */
  readonly redirect: boolean;
}

/** Says what went wrong between here and the server at `url`; undefined for errors that are not the network's. */
export function networkTrouble(error: unknown, url: URL, peer: Peer): NetworkTrouble | undefined {
  if (error instanceof RedirectError) return { reason: error.message, hint: error.hint, redirect: true };
  if (!(error instanceof Error) || error instanceof TypeError) return undefined;
  const code = codeOf(error) ?? '';
  if (code === '' || code === 'ABORT_ERR') return undefined;
  if (error instanceof ProxyError) return { reason: error.message, hint: error.hint, redirect: false };
  const reason = reasons[code] ?? (reasonOf(error) || code);
  return { reason, hint: hintOf(code, error, url, peer), redirect: false };
}

function hintOf(code: string, error: Error, url: URL, { name, untrusted }: Peer): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ALTNAME/.test(code)) return untrusted;
  if (/^ERR_SSL|^EPROTO/.test(code)) return `the ${name} may use plain HTTP: use http://`;
  if (code.startsWith('HPE_')) return `the ${name} may need TLS: use https://`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `check the name ${url.hostname} and the name service`;
  if (error instanceof StalledError) return 'check the network, and that no firewall drops the packets';
  return `check that a ${name} listens at ${url.host}`;
}
