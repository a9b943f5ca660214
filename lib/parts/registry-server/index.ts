/** A registry that serves archives and a store of its own. */

export { admitNobody, admitUsers } from './access.ts';
export type {
  /** Content that is open for reading. */
  OpenContent,
  /** What one archive offers. */
  ServedContent,
  /** One repository of an archive. */
  ServedRepository,
} from './content.ts';
export { requireFree, type TlsFiles } from './listen.ts';
export { type RunningRegistry, startRegistry } from './server.ts';
export { openStore, type Store } from './store/index.ts';
export type { WebPage } from './web-page.ts';
