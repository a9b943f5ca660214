import { redact } from '../errors.ts';
import { persist } from './retry.ts';
import type { Connections } from './routes.ts';
import { type Answer, createTransport, type Timing } from './transport.ts';

/** Asks for one file at its address, wherever that leads. */
export interface Address {
  /** The address without user, password and query, for messages. */
  readonly name: string;
  /** Where the last answer came from. */
  readonly url: URL;
  /** Sends a GET with these headers, redirected and repeated as needed; the answer may have any status. */
  get(headers: Readonly<Record<string, string>>): Promise<Answer>;
  close(): void;
}

/** What a place that was redirected to answers when it is no longer the right one. */
const stale = new Set([401, 403, 404, 410]);

/**
 * The file at `url`. User and password in it are sent by Basic (RFC 7617) to its own origin alone. Where a redirect
 * led is asked directly from then on, until it refuses: addresses that are signed live for minutes.
 */
export function addressOf(
  url: URL,
  timing: Timing,
  connections: Connections,
  signal: AbortSignal | undefined,
): Address {
  const transport = createTransport(timing, connections);
  const start = new URL(url);
  const authorization = basicOf(start);
  [start.username, start.password, start.hash] = ['', '', ''];
  let place = start;
  const send = async (headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const own = authorization !== undefined && place.origin === start.origin ? { authorization } : {};
    const all = { 'user-agent': 'solpack', ...headers, ...own };
    return persist(transport, { method: 'GET', url: place, headers: all, signal }, timing);
  };
  return {
    name: redact(start.href),
    get url() {
      return place;
    },
    get: async (headers) => {
      let answer = await send(headers);
      if (place !== start && stale.has(answer.status)) {
        answer.discard();
        place = start;
        answer = await send(headers);
      }
      if (answer.status === 206 && answer.url.href !== place.href) place = answer.url;
      return answer;
    },
    close: () => transport.close(),
  };
}

function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const plain = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(plain).toString('base64')}`;
}

/** What stands for a percent-encoded text; a text that is ill-encoded stands for itself. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
