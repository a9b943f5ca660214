import type { Answer } from './answer.ts';
import { isInner, isInnerAddress, isPrivate, isPrivateAddress, isWithin } from './private-hosts.ts';
import type { Request } from './request.ts';
import type { Transport } from './transport.ts';
import { noteRedirected, RedirectError } from './transport-errors.ts';

const REDIRECTS = 10;
const statuses = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects by hand (RFC 9110, 15.4). Credentials are dropped for good once another
 * origin is met. Throws `RedirectError` for redirects that are unsafe, endless or would change the method.
 */
export async function follow(transport: Transport, request: Request): Promise<Answer> {
  let current = request;
  for (let hops = 0; hops <= REDIRECTS; hops += 1) {
    const { url: place } = current;
    const answer = await transport.send(current).catch((error: unknown) => {
      if (place.origin !== request.url.origin) noteRedirected(error, place);
      throw error;
    });
    const location = answer.headers.location;
    if (!statuses.has(answer.status) || location === undefined) return answer;
    answer.discard();
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const repeats = answer.status >= 307 && (current.body?.fresh() ?? true);
    if (!reads && !repeats)
      throw new RedirectError(answer.url, `redirects a ${request.method} with status ${answer.status}`);
    const url = hop(answer.url, location, 'redirects', !reads);
    const { authorization: _, cookie: __, ...open } = current.headers;
    const headers = url.origin === answer.url.origin ? current.headers : open;
    current = { ...current, url, headers, ...namedBy(answer, !reads, current) };
  }
  throw new RedirectError(request.url, `redirects more than ${REDIRECTS} times`);
}

/** Which server has named an address, and how far in it may lead for that: see `Request`. */
export type NamedBy = Pick<Request, 'sentBy' | 'outside'>;

/**
 * Returns how far an address may lead that an answer has named. What came from this machine itself may lead to it;
 * `before` holds then. All else may not, also not by the name that was asked, which may stand for something else the
 * next time. What something is sent to (`sends`) may be in a private network only if the answer came from one.
 */
export function namedBy(
  { url: from, peer }: Pick<Answer, 'url' | 'peer'>,
  sends: boolean,
  before: NamedBy = {},
): NamedBy {
  if (isInner(from.hostname) || (peer !== undefined && isInnerAddress(peer))) {
    return { sentBy: before.sentBy, outside: before.outside };
  }
  const isOutside = peer !== undefined && !isPrivateAddress(peer) && !isWithin(from.hostname);
  return { sentBy: from, outside: before.outside || (sends && isOutside) };
}

/**
 * Resolves an address that the server at `from` names, and refuses those that no honest server names: from https to
 * http, with a password in it, or on the loopback or link-local network of a machine that is not there itself; with
 * `outside`, also to an address of a private network (RFC 1918, RFC 4193) from where no such address was named: that is
 * for places that something is sent to. Throws `RedirectError`.
 */
export function hop(from: URL, location: string, verb: string, outside = false): URL {
  if (!URL.canParse(location, from.href)) throw new RedirectError(from, `${verb} to what is not an address`);
  const url = new URL(location, from);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RedirectError(from, `${verb} to ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    throw new RedirectError(from, `${verb} to an address with a password in it`);
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new RedirectError(
      from,
      `${verb} from https to http (${url})`,
      'let the proxy in front of the server send it the scheme',
    );
  }
  if (url.hostname !== from.hostname && isInner(url.hostname) && !isInner(from.hostname)) {
    throw new RedirectError(from, `${verb} to ${url.hostname}, which only the machine itself should reach`);
  }
  if (outside && url.hostname !== from.hostname && isPrivate(url.hostname) && !isWithin(from.hostname)) {
    throw new RedirectError(
      from,
      `${verb} to ${url.hostname}, an address of a private network`,
      'let the server name that host by a name',
    );
  }
  return url;
}
