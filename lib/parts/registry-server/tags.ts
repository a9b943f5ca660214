import { sendPage } from './page.ts';
import type { Exchange } from './reply.ts';
import type { SharedMemory } from './shared-memory.ts';

/** Answers with the tags of a repository, which are sorted (distribution-spec "Listing Tags"). Throws as `sendPage`. */
export function sendTags(
  exchange: Exchange,
  memory: SharedMemory,
  { name, query }: { readonly name: string; readonly query: URLSearchParams },
  tags: readonly string[],
): Promise<void> {
  const path = `/v2/${name}/tags/list`;
  return sendPage(exchange, query, memory, { path, entries: tags, body: (page) => ({ name, tags: page }) });
}
