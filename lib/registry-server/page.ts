import { byteOrder } from '../../formats/bytes.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Exchange, Refusal, reply } from './reply.ts';

/** A list that is sent by pages. */
export interface PagedList {
  /** The path of the request. */
  readonly path: string;
  /** All entries, in byte order. */
  readonly entries: readonly string[];
  /** Returns the body of the answer with these entries. */
  body(page: readonly string[]): object;
}

/** Answers with a list; by pages where `n` asks for it, from behind `last` on (distribution-spec "Listing Tags"). */
export function sendPage(exchange: Exchange, query: URLSearchParams, { path, entries, body }: PagedList): void {
  const count = query.get('n');
  const last = query.get('last');
  if (count !== null && !/^[0-9]+$/.test(count)) {
    throw new Refusal(400, 'UNSUPPORTED', 'n has to be a number');
  }
  const following = entries.filter((entry) => last === null || byteOrder(entry, last) > 0);
  const page = count === null ? following : following.slice(0, Number(count));
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const end = page.at(-1);
  if (end !== undefined && page.length < following.length) {
    const next = new URLSearchParams(query);
    next.set('last', end);
    headers['link'] = `<${path}?${next}>; rel="next"`;
  }
  reply(exchange, 200, encodeJson(body(page)), headers);
}
