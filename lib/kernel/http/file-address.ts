import { redact } from '../events/index.ts';
import type { Answer } from './answer.ts';
import { addressAuthorization } from './basic-auth.ts';
import { createTransport } from './exchange.ts';
import type { FileAddress } from './read-ranges.ts';
import type { ConnectionSettings } from './routes.ts';
import { sendRequest } from './send-request.ts';
import type { HttpTiming } from './timing.ts';

/** What a place that was redirected to answers when it is no longer the right one. */
const stale = new Set([401, 403, 404, 410]);

/**
 * Makes the address of the file at `url`. User and password in it are sent by Basic (RFC 7617) to its own origin
 * alone. The place that a redirect leads to is asked directly from then on, until it refuses: addresses that are
 * signed live for minutes.
 */
export function addressOf(
  url: URL,
  timing: HttpTiming,
  settings: ConnectionSettings,
  signal: AbortSignal | undefined,
): FileAddress {
  const transport = createTransport(timing, settings);
  const start = new URL(url);
  const authorization = addressAuthorization(start);
  [start.username, start.password, start.hash] = ['', '', ''];
  let place = start;
  const ask = async (headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const own = authorization !== undefined && place.origin === start.origin ? { authorization } : {};
    const all = { 'user-agent': 'solpack', ...headers, ...own };
    return sendRequest(transport, { method: 'GET', url: place, headers: all, signal }, timing);
  };
  return {
    name: redact(start.href),
    get url() {
      return place;
    },
    get: async (headers) => {
      let answer = await ask(headers);
      if (place !== start && stale.has(answer.status)) {
        answer.discard();
        place = start;
        answer = await ask(headers);
      }
      if (answer.status === 206 && answer.url.href !== place.href) place = answer.url;
      return answer;
    },
    close: () => transport.close(),
  };
}
