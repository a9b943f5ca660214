import type { Flow } from '../flow.ts';
import { openStore, type RunningRegistry, type Store, startRegistry, type TlsFiles } from '../registries/index.ts';
import { followCertificate } from './certificate.ts';
import { type Collection, openCollection } from './collection.ts';
import { registryEvents } from './events.ts';
import { readTls, readUsers } from './settings.ts';
import type { Sources } from './wanted.ts';
import { watch } from './watch.ts';

export { servedContent } from './content.ts';
export { registryEvents } from './events.ts';
export { mirrorTexts, type Runtime } from './mirrors.ts';

/** What to serve, and where. Paths are absolute. Archives that come and go while it runs are served and left. */
export interface ServeRequest extends Sources {
  readonly listen: { readonly host: string; readonly port: number };
  /** Files of certificate and key, both PEM; without, plain HTTP is spoken. */
  readonly tls?: TlsFiles | undefined;
  /** An htpasswd file of who may use the registry; without, everybody may. */
  readonly passwords?: string | undefined;
  /** The folder of a store that takes pushes; without, everything can only be read, and nothing is written. */
  readonly store?: string | undefined;
  /** After how many seconds uploads that stand still, and blobs that no manifest names, leave the store. */
  readonly expiry?: number;
}

/** A registry that serves archives until it is closed. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** References that it answers for at its start. */
  readonly images: readonly string[];
}

/** How often the store is swept, in milliseconds. */
const SWEEP = 60_000;
/** `expiry` where nobody says otherwise. */
const EXPIRY = 24 * 60 * 60;

/**
 * Serves the images of archives as an OCI registry, straight from the archives' bytes; nothing of them is copied. Throws
 * `archive-invalid`, `archive-damaged`, `image-conflict`, `configuration-invalid`, `tls-invalid`, `passwords-invalid`,
 * `store-busy`, `listen-failed`.
 */
export async function serve(request: ServeRequest, flow: Flow): Promise<Serving> {
  const ending = new AbortController();
  const open: AsyncDisposable[] = [];
  const close = async (): Promise<void> => {
    ending.abort();
    for (const resource of open.reverse()) await resource[Symbol.asyncDispose]();
  };
  try {
    const follow = request.tls && (await followCertificate(request.tls, flow));
    const tls = request.tls && (await readTls(request.tls));
    const admit = request.passwords === undefined ? undefined : await readUsers(request.passwords);
    const collection = await openCollection(request, flow);
    open.push(collection);
    const events = registryEvents(flow);
    const store = request.store === undefined ? undefined : await openStore(request.store, events.onProblem);
    if (store) open.push(store);
    const settings = { ...request.listen, tls, admit, store, unready: collection.unready, ...events };
    const registry = await startRegistry(collection.contents(), settings);
    open.push({ [Symbol.asyncDispose]: registry.close });
    warn(request, flow);
    const ended = AbortSignal.any([flow.signal, ending.signal]);
    const kept = [
      keep(collection, registry, store, request, ended, events.onProblem),
      ...(follow ? [watch(() => follow(registry), ended, events.onProblem)] : []),
    ];
    open.push({ [Symbol.asyncDispose]: async () => void (await Promise.all(kept)) });
    return { url: registry.url, images: collection.images(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The references that sources have now, for `mirrorTexts`. Throws as `serve` does. */
export async function servedImages(sources: Sources, flow: Flow): Promise<readonly string[]> {
  const collection = await openCollection(sources, flow);
  await collection[Symbol.asyncDispose]();
  return collection.images();
}

/** Keeps what is served in step with the disk, and the store tidy, until the signal ends that. */
async function keep(
  collection: Collection,
  registry: RunningRegistry,
  store: Store | undefined,
  { expiry = EXPIRY }: ServeRequest,
  signal: AbortSignal,
  onProblem: (problem: unknown) => void,
): Promise<void> {
  let swept = 0;
  await watch(
    async () => {
      await collection.update(registry);
      const now = Date.now();
      if (!store || now - swept < Math.min(SWEEP, expiry * 1000)) return;
      swept = now;
      await store.sweep(now - expiry * 1000);
    },
    signal,
    onProblem,
  );
}

/** Tells of what others on the network could do. */
function warn({ listen, tls, passwords, store }: ServeRequest, { onEvent }: Flow): void {
  if (/^(127\.|::1$|localhost$)/.test(listen.host)) return;
  const tell = (message: string): void => onEvent({ type: 'notice', subject: 'registry', message });
  if (passwords !== undefined && !tls) tell('passwords are sent without TLS: give --tls-cert and --tls-key');
  if (store !== undefined && passwords === undefined) tell('whoever reaches it can push: give --htpasswd');
}
