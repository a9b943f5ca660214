import { sendPage } from './page.ts';
import type { Exchange } from './reply.ts';

/** Answers with the tags of a repository, which are sorted (distribution-spec "Listing Tags"). */
export function sendTags(exchange: Exchange, name: string, query: URLSearchParams, tags: readonly string[]): void {
  const path = `/v2/${name}/tags/list`;
  sendPage(exchange, query, { path, entries: tags, body: (page) => ({ name, tags: page }) });
}
