import { Refusal } from './reply.ts';
import type { Store } from './store/index.ts';

/** Bytes of memory that all which a store knows of its content may take: that of about ten thousand images. */
const MOST = 64 * 1024 * 1024;

/** Refuses what would be one more content in a store that knows as much as it may. Throws `Refusal` 413. */
export function requireStoreRoom(store: Store): void {
  if (store.remembered() < MOST) return;
  const full = `the store has as many manifests, blobs and tags as fit into ${MOST / 2 ** 20} MiB of memory`;
  throw new Refusal(413, 'SIZE_INVALID', `${full}: delete some, or push to another store`);
}
