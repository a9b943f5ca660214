import { FormatError } from '../../../formats/error.ts';
import { SolpackError } from '../events/index.ts';
import { networkTrouble, type Peer } from './network-trouble.ts';

const peer: Peer = {
  name: 'server',
  untrusted: 'give the certificate of the authority that signed the certificate of the server with --ca-file',
};

/** Makes the error about an answer with this status, for the file that messages call `name`. */
export function statusFailure(name: string, status: number): SolpackError {
  if (status === 404 || status === 410) {
    return new SolpackError('file-missing', name, `the server has no such file (status ${status})`, {
      hint: 'check the address',
    });
  }
  if (status === 401 || status === 403) {
    return new SolpackError('remote-denied', name, `the server refuses access (status ${status})`, {
      hint: 'check the address, and that you may read it; user and password go before the host: https://USER:PASSWORD@HOST',
    });
  }
  const later = status === 429 || status >= 500;
  return new SolpackError('remote-error', name, `the server answered with status ${status}`, {
    hint: later ? 'try again later, and read the log of the server' : 'check the address, and the log of the server',
  });
}

/** Makes the error about an address where there is nothing to read. */
export function empty(name: string): SolpackError {
  return new SolpackError('file-unreadable', name, 'is empty on the server', { hint: 'upload it again' });
}

/** Makes the error about a server that answered a request for a part with the whole. */
export function unranged(name: string): SolpackError {
  return new SolpackError(
    'remote-unranged',
    name,
    'the server sends files only whole, and does not support range requests',
    {
      hint: 'download the file and name that, or configure the server to support Range (RFC 9110, 14.2)',
    },
  );
}

/** Makes the error about a file of which another version was read before. */
export function changed(name: string): SolpackError {
  return new SolpackError('remote-changed', name, 'was replaced or removed on the server while it was read', {
    hint: 'run the command again; servers that share an address have to agree on ETag and Last-Modified',
  });
}

/** Makes the error about a server that broke a rule of HTTP; `what` says which. */
export function unlawful(name: string, what: string): SolpackError {
  return new SolpackError('remote-error', name, what, { hint: 'check the server, and the proxy in front of it' });
}

/**
 * Makes `remote-unreachable` of a failure on the way, and `remote-error` of a redirect that is not followed; returns
 * other errors as they are.
 */
export function remoteFailure(name: string, url: URL, error: unknown): unknown {
  if (error instanceof SolpackError || error instanceof FormatError) return error;
  const trouble = networkTrouble(error, url, peer);
  if (!trouble) return error;
  const { reason, hint, redirect } = trouble;
  return redirect
    ? new SolpackError('remote-error', name, reason, { cause: error, hint })
    : new SolpackError('remote-unreachable', name, `cannot be read: ${reason}`, { cause: error, hint });
}
