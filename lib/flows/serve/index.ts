import { utf8 } from '../../../formats/bytes.ts';
import type { Flow } from '../../kernel/events/index.ts';
import {
  admitNobody,
  admitUsers,
  openStore,
  type RunningRegistry,
  type Store,
  startRegistry,
  type TlsFiles,
  type WebPage,
} from '../../parts/registry-server/index.ts';
import type { Trust } from '../../parts/trust/index.ts';
import { registryEvents } from '../../shared/solutions/registries/index.ts';
import { readTls, readUsers } from './access-files.ts';
import { type Collection, openCollection } from './collection.ts';
import { followFiles } from './follow-files.ts';
import { poll } from './poll.ts';
import { type ServedState, servedState } from './served-state.ts';
import type { Sources } from './sources.ts';

export { mirrorTexts, type Runtime } from './mirrors.ts';
export type {
  /** An archive that is served. */
  ServedArchive,
  /** A SolutionsConfiguration, by what is served of it. */
  ServedConfiguration,
  /** What is served at a time, as whoever may pull can be shown it. */
  ServedState,
} from './served-state.ts';
export type {
  /** Where to look for archives to serve. */
  Sources,
} from './sources.ts';

/** What to serve, and where. Paths are absolute. Archives that come and go while it runs are served and left. */
export interface ServeRequest extends Sources {
  readonly listen: { readonly host: string; readonly port: number };
  /** Decides which archives are served; without it, all are. */
  readonly trust?: Trust | undefined;
  /** Files of certificate and key, both PEM; without them it serves plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** An htpasswd file of the registry's users; without it everybody may read, and nobody may push. */
  readonly passwords?: string | undefined;
  /** The folder of a store for what clients push; without it clients can only read, and nothing is written. */
  readonly store?: string | undefined;
  /** Takes pushes from everybody where there are no passwords. */
  readonly openPush?: boolean | undefined;
  /** How many connections, and requests under way, there may be. */
  readonly maxConnections?: number | undefined;
  /** Makes what a browser is shown that asks for `/`; without it there is no such page. */
  readonly page?: ServedPage | undefined;
  /** After how many seconds uploads that stand still, and blobs that no manifest names, leave the store. */
  readonly expiry?: number;
}

/** Makes a page of what is served. */
export interface ServedPage {
  /** What browsers may do with it: the value of Content-Security-Policy. */
  readonly policy: string;
  /**
   * Makes it for the address that a client asked, at most 1 MiB of HTML. The state is the same object as long as it is
   * not looked at anew.
   */
  make(served: ServedState, origin: string): Promise<string>;
}

/** A registry that serves archives until it is closed. */
export interface Serving extends AsyncDisposable {
  readonly url: string;
  /** References of the images that it serves at its start. */
  readonly images: readonly string[];
}

/** How often the store is swept, in milliseconds. */
const SWEEP = 60_000;
/** The default of `expiry`, in seconds. */
const EXPIRY = 24 * 60 * 60;

/**
 * Serves the images of archives as an OCI registry, straight from the bytes of the archives, without copying them.
 * Throws `archive-invalid`, `archive-damaged`, `not-trusted`, `image-conflict`, `configuration-invalid`, `tls-invalid`,
 * `passwords-invalid`, `store-busy`, `listen-failed`.
 */
export async function serve(request: ServeRequest, flow: Flow): Promise<Serving> {
  const ending = new AbortController();
  const open: AsyncDisposable[] = [];
  const close = async (): Promise<void> => {
    ending.abort();
    for (const resource of open.reverse()) await resource[Symbol.asyncDispose]();
  };
  try {
    const { tls: certificate, passwords } = request;
    const renewed = 'is the certificate for clients from now on';
    const followTls = certificate && (await followFiles([certificate.certificate, certificate.key], renewed, flow));
    const followUsers =
      passwords && (await followFiles([passwords], 'decides from now on who may use the registry', flow));
    const tls = certificate && (await readTls(certificate));
    const access = passwords === undefined ? undefined : admitUsers(await readUsers(passwords));
    if (access) open.push(access);
    const collection = await openCollection(request, flow, request.trust);
    open.push(collection);
    const events = registryEvents(flow);
    const store = request.store === undefined ? undefined : await openStore(request.store, events.onProblem);
    if (store) open.push(store);
    const admitPush = access || request.openPush ? undefined : admitNobody;
    const settings = { ...request.listen, tls, admit: access?.admit, admitPush, store, unready: collection.unready };
    const more = { maxConnections: request.maxConnections, page: webPageOf(request, collection, store) };
    const registry = await startRegistry(collection.contents(), { ...settings, ...more, ...events });
    open.push({ [Symbol.asyncDispose]: registry.close });
    warn(request, flow);
    const ended = AbortSignal.any([flow.signal, ending.signal]);
    const look = (work: () => Promise<void>): Promise<void> => poll(work, ended, events.onProblem);
    const kept = [keep(collection, registry, store, request, ended, events.onProblem)];
    if (followTls) kept.push(look(() => followTls(async () => registry.renew(await readTls(certificate)))));
    if (access && followUsers) kept.push(look(() => followUsers(async () => access.renew(await readUsers(passwords)))));
    open.push({ [Symbol.asyncDispose]: async () => void (await Promise.all(kept)) });
    return { url: registry.url, images: collection.images(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lists the references of the images that `serve` would serve now, for `mirrorTexts`. Throws as `serve` does. */
export async function servedImages(
  { trust, ...sources }: Pick<ServeRequest, keyof Sources | 'trust'>,
  flow: Flow,
): Promise<readonly string[]> {
  const collection = await openCollection(sources, flow, trust);
  await collection[Symbol.asyncDispose]();
  return collection.images();
}

/** For how many milliseconds a state is shown: however often somebody asks, it is not made more often. */
const FRESH = 1000;

function webPageOf(
  { page, tls, passwords, openPush }: ServeRequest,
  collection: Collection,
  store: Store | undefined,
): WebPage | undefined {
  if (page === undefined) return undefined;
  const pushers = passwords === undefined ? (openPush ? 'everybody' : 'nobody') : 'users';
  const access = {
    tls: tls !== undefined,
    passwords: passwords !== undefined,
    push: store === undefined ? 'nobody' : pushers,
  } as const;
  let shown: { readonly state: ServedState; readonly until: number } | undefined;
  return {
    policy: page.policy,
    make: async (origin) => {
      const now = performance.now();
      if (shown === undefined || shown.until < now) {
        shown = { state: servedState(collection.state(), store, access), until: now + FRESH };
      }
      return utf8(await page.make(shown.state, origin));
    },
  };
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
  await poll(
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

/** Warns where others could read or push what they should not, or nobody can push. */
function warn({ listen, tls, passwords, store, openPush }: ServeRequest, { onEvent }: Flow): void {
  const tell = (message: string): void => onEvent({ type: 'notice', subject: 'registry', message });
  if (store !== undefined && passwords === undefined && !openPush) {
    tell('nobody can push: give --htpasswd with the allowed users, or --open-push to allow everybody');
  }
  if (/^(127\.|::1$|localhost$)/.test(listen.host)) return;
  if (passwords !== undefined && !tls) tell('passwords are sent without TLS: give --tls-cert and --tls-key');
  if (openPush) tell('everybody who reaches it can push: give --htpasswd instead of --open-push');
}
