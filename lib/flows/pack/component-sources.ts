import { dirname, isAbsolute, resolve } from 'node:path';
import type { ComponentDefinition } from '../../../formats/solution/definition.ts';
import type { Lock, LockedSource } from '../../../formats/solution/lock.ts';
import type { UpgradeBound } from '../../../formats/solution/upgrade.ts';
import { type Flow, refused, SolpackError } from '../../kernel/events/index.ts';
import { contains } from '../../kernel/files/index.ts';
import type { ComponentSpec, RemoteParts } from '../../parts/components/index.ts';
import {
  type FetchedSource,
  fetchSource,
  isElsewhere,
  namerAt,
  openSourceStore,
  parseCatalogAddress,
  type SourceConnections,
  type SourceContent,
  type SourceContext,
  type SourceRequest,
  type SourceStore,
} from '../../parts/sources/index.ts';
import { archivedBundle } from './archived-bundle.ts';
import { type LockMode, renews } from './lock-mode.ts';

/** Where the files of one component are, and how it gets the rest. */
export interface LocatedComponent
  extends Pick<ComponentSpec, 'path' | 'values' | 'root' | 'origin' | 'remote' | 'upgrade'> {
  /** The definition's folder. */
  readonly home: string;
  /** What was fetched for it so far, for the lock: more, once its files were collected. */
  readonly fetched: () => readonly LockedSource[];
  /** Names in an error what was fetched by where it is from, and not by where it was put. */
  readonly explain: (error: unknown) => unknown;
}

/** Finds the components of one definition, on this machine or elsewhere. */
export interface ComponentSources extends AsyncDisposable {
  locate(component: ComponentDefinition): Promise<LocatedComponent>;
}

/** What decides where components are taken from. */
export interface ComponentSourcesOptions {
  /** The definition's path. */
  readonly definition: string;
  readonly lock: Lock | undefined;
  readonly mode: LockMode;
  /** How networks are reached; without it, what lies elsewhere is refused. */
  readonly connections: SourceConnections | undefined;
  /** Whether what is fetched is kept beside the definition. */
  readonly keeps: boolean;
}

/** Opens the sources of a definition's components. What is fetched lasts until they are closed. */
export function openComponentSources(options: ComponentSourcesOptions, flow: Flow): ComponentSources {
  const home = dirname(options.definition);
  const store = openSourceStore(home, options.keeps, flow.host);
  const known = new Map<string, Promise<FetchedSource>>();
  return {
    locate: async (component) => {
      const fetched = new Map<string, LockedSource>();
      const names = new Map<string, string>();
      const fetch = async (request: SourceRequest): Promise<FetchedSource> => {
        const key = `${request.content} ${request.address} ${request.version ?? ''} ${request.channel ?? ''}`;
        const found = known.get(key) ?? fetchLocked(request, component, options, store, flow);
        known.set(key, found);
        const source = await found;
        fetched.set(key, lockedSource(request, source));
        names.set(source.root, source.name);
        return source;
      };
      const values = component.values.map((path) => locatePath(home, path).path);
      const shared = {
        values,
        home,
        // What others have made may lead where they like, but not to this machine.
        remote: partsFrom(fetch, isElsewhere(component.path) ? namerAt(component.path) : undefined),
        fetched: () => [...fetched.values()],
        explain: (error: unknown) => renamed(error, names),
      };
      if (!isElsewhere(component.path)) {
        requireNoVersion(component);
        const here = locatePath(home, component.path);
        const unpacked = await archivedBundle(component.kind, here, { store, flow });
        if (unpacked) names.set(unpacked.root, component.path);
        return { ...(unpacked ?? here), ...shared };
      }
      const { path, root, resolved } = await fetch(await componentRequest(component, home));
      return { path, root, origin: component.path, upgrade: resolved.upgrade, ...shared };
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function renamed(error: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof SolpackError)) return error;
  const inWords = (text: string): string =>
    [...names].reduce((words, [root, name]) => words.replaceAll(root, name), text);
  const message = inWords(error.message);
  if (message === error.message && inWords(error.subject) === error.subject) return error;
  const hint = error.hint === undefined ? {} : { hint: inWords(error.hint) };
  return new SolpackError(error.code, inWords(error.subject), message, { ...hint, cause: error });
}

function partsFrom(fetch: (request: SourceRequest) => Promise<FetchedSource>, sentBy: URL | undefined): RemoteParts {
  return {
    chart: async (address, version) =>
      (await fetch({ address, version: version === '' ? undefined : version, content: 'chart', sentBy })).path,
    folder: (address) => fetch({ address, version: undefined, content: 'folder', sentBy }),
    file: async (address) => (await fetch({ address, version: undefined, content: 'file', sentBy })).path,
  };
}

/** What the path of a component leads to on a network, by its kind. */
const contents: Readonly<Record<ComponentDefinition['kind'], SourceContent>> = {
  manifests: 'file',
  kustomize: 'folder',
  helm: 'chart',
  plugin: 'folder',
  'registry+v1': 'bundle',
  'plain+v0': 'bundle',
  'components.d': 'folder',
};

/**
 * Returns what is fetched for a component of a definition in the folder `home`. A commit tells a git folder from a
 * file.
 */
export async function componentRequest(
  { path: address, version, kind, channel }: ComponentDefinition,
  home: string,
): Promise<SourceRequest> {
  if (address.startsWith('catalog:')) {
    const { folder } = await refused('component-invalid', address, () => parseCatalogAddress(address));
    const place = folder === undefined ? undefined : locatePath(home, folder);
    return { address, version, content: contents[kind], channel, place };
  }
  const isGit = /^(?:ssh:|git::|git@)|[?&](?:ref|version)=|\.git(?:\/|$)|^https?:\/\/[^?]*[^:]\/\//i.test(address);
  if (isGit && !/^(?:oci|docker):/.test(address)) {
    if (version !== undefined) throw noVersion(address, 'is a commit: ref=COMMIT says which');
    return { address, version, content: 'folder' };
  }
  return { address, version, content: contents[kind] };
}

/**
 * Resolves a path of a definition, which may lead out of its folder. Then nothing may lead out of the first folder that
 * it names, or of the file's own. Throws `path-escapes` for an absolute path, which is right on one machine only.
 */
function locatePath(home: string, path: string): { path: string; root: string } {
  if (isAbsolute(path)) {
    throw new SolpackError('path-escapes', path, 'is an absolute path, which differs between machines', {
      hint: `write it relative to ${home}`,
    });
  }
  const full = resolve(home, path);
  if (contains(home, full)) return { path: full, root: home };
  const names = path.split(/[\\/]/).filter((name) => name !== '' && name !== '.');
  const ups = names.findIndex((name) => name !== '..');
  const root = ups < 0 ? full : resolve(home, ...names.slice(0, ups + 1));
  return { path: full, root: contains(root, full) ? root : full };
}

function requireNoVersion({ path, version }: ComponentDefinition): void {
  if (version !== undefined) throw noVersion(path, 'is a file or folder, whose version cannot be chosen');
}

function noVersion(path: string, why: string): SolpackError {
  return new SolpackError('component-invalid', path, why, { hint: 'leave the version out' });
}

async function fetchLocked(
  request: SourceRequest,
  { name }: ComponentDefinition,
  { lock, mode, connections }: ComponentSourcesOptions,
  store: SourceStore,
  flow: Flow,
): Promise<FetchedSource> {
  const { address, version, channel } = request;
  const named = lock?.sources?.find(
    (one) => one.address === address && one.range === version && one.channel === channel,
  );
  const locked = renews(mode, [name, address]) ? undefined : named;
  if (!locked && mode === 'locked') {
    throw new SolpackError('lock-mismatch', address, `solution.lock does not name it${versionWords(version)}`, {
      hint: 'pack once without --locked, and commit solution.lock',
    });
  }
  if (!connections) {
    throw new SolpackError('usage-invalid', address, 'has to be fetched, but no way to fetch it was given', {
      hint: 'hand connections in',
    });
  }
  if (!locked || !(await store.find(locked.digest))) {
    flow.onEvent({ type: 'step', step: 'fetch', subject: `${address}${versionWords(version)}` });
  }
  const context = { connections, store, flow };
  if (locked || !named || typeof mode !== 'object' || !mode.keeps) return fetchSource(request, locked, context);
  return renewed(request, named, mode.keeps, context);
}

/** Brings what is there now, unless the lock is to be kept. */
async function renewed(
  request: SourceRequest,
  named: LockedSource,
  keeps: NonNullable<Extract<LockMode, object>['keeps']>,
  context: SourceContext,
): Promise<FetchedSource> {
  try {
    const found = await fetchSource(request, undefined, context);
    if (!keeps(named, found.resolved.version)) return found;
  } catch (error) {
    const isGone = error instanceof SolpackError && error.code === 'component-absent';
    if (!isGone || named.version === undefined || !keeps(named, undefined)) throw error;
  }
  return fetchSource(request, named, context);
}

function versionWords(version: string | undefined): string {
  return version === undefined ? '' : ` ${version}`;
}

function lockedSource({ address, version: range, channel }: SourceRequest, { resolved }: FetchedSource): LockedSource {
  const { version, url, upgrade, digest } = resolved;
  return {
    address,
    ...(range === undefined ? {} : { range }),
    ...(version === undefined ? {} : { version }),
    ...(channel === undefined ? {} : { channel }),
    ...(url === undefined ? {} : { url }),
    digest,
    ...(upgrade === undefined ? {} : { upgrade: lockedUpgrade(upgrade) }),
  };
}

function lockedUpgrade({ from, skips }: UpgradeBound): NonNullable<LockedSource['upgrade']> {
  return { ...(from === undefined ? {} : { from }), ...(skips === undefined ? {} : { skips: [...skips] }) };
}
