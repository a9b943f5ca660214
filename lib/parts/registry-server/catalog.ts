import { byteOrder } from '../../../formats/bytes.ts';
import { sendPage } from './page.ts';
import type { Exchange } from './reply.ts';
import type { Shelf } from './repository.ts';

/** Where Distribution lists repositories; the specification has no such endpoint. */
export const catalogPath = '/v2/_catalog';

/** Answers with the names of all repositories, each behind its registry, by which clients can ask for them. */
export function sendCatalog(
  exchange: Exchange,
  query: URLSearchParams,
  { repositories, store, memory }: Shelf,
): Promise<void> {
  const keys = [...repositories.keys(), ...(store?.keys() ?? [])];
  // A name cannot hold the colon of a port.
  const entries = [...new Set(keys.map((key) => key.replace(':', '_')))].sort(byteOrder);
  return sendPage(exchange, query, memory, { path: catalogPath, entries, body: (page) => ({ repositories: page }) });
}
