import { codeOf, reasonOf } from '../../../../../kernel/events/index.ts';
import { ProxyError, StalledError } from '../../../../../kernel/http/index.ts';

/** Why nobody answered, and what to do about it. */
export interface NetworkFailure {
  readonly why: string;
  readonly hint: string;
}

const plain: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection was closed early',
  EPIPE: 'the connection was closed early',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved at the moment',
};

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
]);

/** Puts a failure of the network into words; `server` is the URL that was asked, `now` the clock of this machine. */
export function describeNetworkFailure(error: unknown, server: string, now: Date): NetworkFailure {
  if (error instanceof ProxyError) return { why: error.message, hint: 'check proxy-url of the kubeconfig' };
  const code = codeOf(error) ?? '';
  return secureFailure(code, error, server, now) ?? { why: wordsOf(code, error), hint: hintOf(code, error, server) };
}

function secureFailure(code: string, error: unknown, server: string, now: Date): NetworkFailure | undefined {
  if (unknownAuthority.has(code)) {
    return {
      why: 'its certificate is signed by an authority that the kubeconfig does not name',
      hint: 'write the certificate authority of this cluster into certificate-authority-data, or get a new kubeconfig from the cluster',
    };
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const clock = `this machine's clock says ${now.toISOString()}`;
    const hint = `${clock}: set it if that is wrong, otherwise renew the certificate of the API server`;
    return { why: `its certificate ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`, hint };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      why: `its certificate is for other names (${namesOf(error)})`,
      hint: 'use one of those names as the server, or name one in tls-server-name of the kubeconfig',
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    if (/ALERT/i.test(code) || /alert/i.test(reasonOf(error))) {
      return { why: 'it ended the TLS handshake', hint: 'it may want a client certificate of its own authority' };
    }
    return { why: 'the server does not use TLS', hint: `check the address ${server}, and whether it is http://` };
  }
  return undefined;
}

/** Returns the names of the certificate that Node.js puts into the error about it. */
function namesOf(error: unknown): string {
  const { cert } = error as { cert?: { subjectaltname?: string; subject?: { CN?: string } } };
  return cert?.subjectaltname ?? cert?.subject?.CN ?? 'it has none';
}

function wordsOf(code: string, error: unknown): string {
  return error instanceof StalledError ? error.message : (plain[code] ?? (reasonOf(error) || code));
}

function hintOf(code: string, error: unknown, server: string): string {
  const { host, hostname } = new URL(server);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `check the name ${hostname} and the name service`;
  if (code.startsWith('HPE_')) return 'it may need TLS: use https:// in the kubeconfig';
  if (error instanceof StalledError && error.connected) return 'read the log of the API server, and of etcd';
  if (code === 'ETIMEDOUT') return 'check the network, and that no firewall drops the packets';
  return `check that the API server runs and listens at ${host}`;
}
