import { hop, isInner, remoteFailure } from '../../kernel/http/index.ts';

/**
 * Returns the server at `address` as the one that names what its content leads to; undefined where that is this machine
 * itself, or no address. `address` is one of a source: `https://`, `oci://`, `docker://`, or of git.
 */
export function namerAt(address: string): URL | undefined {
  const url = serverOf(address);
  return url === undefined || isInner(url.hostname) ? undefined : url;
}

/**
 * Returns who has to be named where `address` leads to this machine: `sentBy`, which has named the address, unless it
 * is on the same server. Throws `remote-error` for an address that no honest server names.
 */
export function namedFrom(address: string, sentBy: URL | undefined): URL | undefined {
  const url = serverOf(address);
  if (sentBy === undefined || url === undefined || url.origin === sentBy.origin) return undefined;
  try {
    hop(sentBy, url.href, 'leads');
  } catch (error) {
    throw remoteFailure(address, url, error);
  }
  return isInner(sentBy.hostname) ? undefined : sentBy;
}

function serverOf(address: string): URL | undefined {
  const spelled = address
    .replace(/^git::/i, '')
    .replace(/^(?:oci|docker|ssh):/i, 'https:')
    .replace(/^[A-Za-z0-9_.-]+@([A-Za-z0-9.-]+):/, 'https://$1/');
  if (!/^https?:/i.test(spelled) || !URL.canParse(spelled)) return undefined;
  const url = new URL(spelled);
  // Git knows users; whether an address may have one, its kind decides.
  [url.username, url.password] = ['', ''];
  return url;
}
