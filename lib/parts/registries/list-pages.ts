import { SolpackError } from '../../kernel/events/index.ts';
import { type Answer, hop, namedBy } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';

/** How many pages of one list are read, and how many bytes one may have. */
const PAGES = 1000;
const LIMIT = 4 * 1024 * 1024;

/** A page of a list. */
export interface Page {
  readonly answer: Answer;
  readonly bytes: Uint8Array;
}

/**
 * Reads a list page by page, as `Link: <…>; rel="next"` leads on (RFC 8288; distribution-spec "Listing Tags"). The
 * first answer is the caller's, to be looked at before. Throws `registry-error` where it does not end, or leads
 * elsewhere.
 */
export async function* pages(client: Client, first: Call, begun: Answer): AsyncGenerator<Page> {
  let call = first;
  let answer = begun;
  for (let count = 1; ; count += 1) {
    const page = answer;
    if (page.status !== 200) throw await client.failure(call, page);
    const asked = call;
    yield { answer: page, bytes: await client.reading(asked, () => page.gather(LIMIT)) };
    const next = nextOf(page.headers['link']);
    if (next === undefined) return;
    if (count === PAGES) throw unusable(client, `a list of more than ${PAGES} pages`);
    const to = await client.reading(asked, async () => hop(page.url, next, 'redirects for more of a list'));
    if (to.origin !== page.url.origin) throw unusable(client, `a list that continues at ${to.origin}`);
    call = { ...first, to, ...namedBy(page, false, first) };
    answer = await client.send(call);
  }
}

function nextOf(link: string | string[] | undefined): string | undefined {
  const links = [link ?? []].flat().join(', ');
  const params = /(?:[^,"]|"[^"]*")*/y;
  for (let at = links.indexOf('<'); at >= 0; at = links.indexOf('<', params.lastIndex)) {
    const end = links.indexOf('>', at);
    if (end < 0) return undefined;
    params.lastIndex = end + 1;
    const [, ...all] = params.exec(links)![0].split(';');
    if (all.some((one) => /^rel="?next"?$/i.test(one.trim()))) return links.slice(at + 1, end);
  }
  return undefined;
}

function unusable(client: Client, what: string): SolpackError {
  return new SolpackError('registry-error', client.name, `the registry sends ${what}`, {
    hint: 'check the registry, and the proxy in front of it',
  });
}
