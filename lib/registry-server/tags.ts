import { byteOrder } from '../../formats/bytes.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Exchange, Refusal, reply } from './reply.ts';

/**
 * Answers with the tags of a repository, which are sorted; by pages where `n` asks for it (distribution-spec "Listing
 * Tags").
 */
export function sendTags(exchange: Exchange, name: string, query: URLSearchParams, tags: readonly string[]): void {
  const count = query.get('n');
  const last = query.get('last');
  if (count !== null && !/^[0-9]+$/.test(count)) {
    throw new Refusal(400, 'UNSUPPORTED', 'n has to be a number');
  }
  const following = tags.filter((tag) => last === null || byteOrder(tag, last) > 0);
  const page = count === null ? following : following.slice(0, Number(count));
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const end = page.at(-1);
  if (end !== undefined && page.length < following.length) {
    const next = new URLSearchParams(query);
    next.set('last', end);
    headers['link'] = `</v2/${name}/tags/list?${next}>; rel="next"`;
  }
  reply(exchange, 200, encodeJson({ name, tags: page }), headers);
}
