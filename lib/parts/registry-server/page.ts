import { byteOrder } from '../../../formats/bytes.ts';
import { encodeJson } from '../../../formats/json.ts';
import { type Exchange, Refusal } from './reply.ts';
import { sendList } from './send-list.ts';
import type { SharedMemory } from './shared-memory.ts';

/** Most entries of a page, whatever the client asks for. */
const ENTRIES = 10_000;

/** A list that is sent by pages. */
export interface PagedList {
  /** The path of the request. */
  readonly path: string;
  /** All entries, in byte order. */
  readonly entries: readonly string[];
  /** Returns the body of the answer with these entries. */
  body(page: readonly string[]): object;
}

/**
 * Answers with a page of a list: as many entries as `n` asks for, at most 10,000, from behind `last` on
 * (distribution-spec "Listing Tags"). Throws `Refusal` 400, and 503 where there is no memory for it for long.
 */
export async function sendPage(
  exchange: Exchange,
  query: URLSearchParams,
  memory: SharedMemory,
  { path, entries, body }: PagedList,
): Promise<void> {
  const count = query.get('n');
  const last = query.get('last');
  if (count !== null && !/^[0-9]+$/.test(count)) {
    throw new Refusal(400, 'UNSUPPORTED', 'n has to be a number');
  }
  const following = entries.filter((entry) => last === null || byteOrder(entry, last) > 0);
  const page = following.slice(0, Math.min(Number(count ?? ENTRIES), ENTRIES));
  const end = page.at(-1);
  const isLast = end === undefined || page.length === following.length;
  const bytes = encodeJson(body(page));
  await sendList(exchange, memory, {
    cost: bytes.length,
    headers: { 'content-type': 'application/json', ...(isLast ? {} : { link: nextPage(path, query, end) }) },
    make: async () => bytes,
  });
}

/** The `Link` that leads on from behind `last` (RFC 8288). */
export function nextPage(path: string, query: URLSearchParams, last: string): string {
  const next = new URLSearchParams(query);
  next.set('last', last);
  return `<${path}?${next}>; rel="next"`;
}
