export { admitNobody, admitUsers } from './access.ts';
export { requireFree, type TlsFiles } from './listen.ts';
export { type RunningRegistry, startRegistry } from './server.ts';
export { openStore, type Store } from './store/index.ts';
export type { WebPage } from './web-page.ts';
