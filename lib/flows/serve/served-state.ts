import { byteOrder } from '../../../formats/bytes.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { Store } from '../../parts/registry-server/index.ts';
import { wantedOf } from '../../shared/solutions/sets/index.ts';
import type { CollectionState, Member } from './member.ts';
import { activeOf } from './tag-order.ts';

/**
 * What is served at a time, as whoever may pull can be shown it. Paths are left out, except for their last part;
 * addresses have no secrets.
 */
export interface ServedState {
  /** In the order in which they say what tags stand for. */
  readonly archives: readonly ServedArchive[];
  /** What arguments or the configuration name and is not served. */
  readonly missing: readonly { readonly source: string; readonly reason: string | undefined }[];
  /** What the SolutionsConfiguration wants; undefined where there is none. */
  readonly configuration: ServedConfiguration | undefined;
  /** The registries whose images are served, `HOST[:PORT]`, in byte order. */
  readonly registries: readonly string[];
  /** What clients have pushed: repositories with the number of their tags, in byte order. */
  readonly pushed: readonly { readonly repository: string; readonly tags: number }[];
  readonly tls: boolean;
  /** Whether clients need a password. */
  readonly passwords: boolean;
  /** Who may push. */
  readonly push: 'nobody' | 'users' | 'everybody';
}

/** An archive that is served. */
export interface ServedArchive {
  /** The last part of its path, or its address. */
  readonly source: string;
  readonly name: string;
  readonly version: string;
  /** References. */
  readonly images: readonly string[];
}

/** A SolutionsConfiguration, by what is served of it. */
export interface ServedConfiguration {
  readonly name: string;
  readonly solutions: readonly {
    readonly name: string;
    /** A version, a range or `latest`; undefined where it is not active but in environments. */
    readonly wanted: string | undefined;
    /** The versions of it that are active and served, the one without an environment among them. */
    readonly versions: readonly string[];
  }[];
}

/** Makes the state of a collection and a store. */
export function servedState(
  { members, document, missing }: CollectionState,
  store: Store | undefined,
  access: Pick<ServedState, 'tls' | 'passwords' | 'push'>,
): ServedState {
  const archives = members.map(({ path, name, version, images }) => ({
    source: sourceOf(path),
    name,
    version,
    images,
  }));
  const hosts = new Set(members.flatMap(({ images }) => images.map((image) => parseReference(image).registry)));
  return {
    archives,
    missing: missing.map(({ path, reason }) => ({
      source: sourceOf(path),
      reason: reason?.replaceAll(path, sourceOf(path)),
    })),
    configuration: document && configurationOf(document, members),
    registries: [...hosts].sort(byteOrder),
    pushed: store === undefined ? [] : pushedTo(store),
    ...access,
  };
}

function sourceOf(path: string): string {
  return path.startsWith('/') ? path.slice(path.lastIndexOf('/') + 1) : path;
}

function configurationOf(document: SolutionsConfiguration, members: readonly Member[]): ServedConfiguration {
  const active = activeOf(document, members);
  const served = Map.groupBy(
    members.filter((member) => active.has(member)),
    ({ name }) => name,
  );
  const names = new Set([...document.active.keys(), ...document.environments.keys(), ...served.keys()]);
  return {
    name: document.name,
    solutions: [...names].sort(byteOrder).map((name) => ({
      name,
      wanted: wantedOf(document, name),
      versions: (served.get(name) ?? []).map(({ version }) => version),
    })),
  };
}

function pushedTo(store: Store): ServedState['pushed'] {
  const tags = new Map(store.keys().map((key) => [key, 0]));
  for (const { key } of store.tagged()) tags.set(key, (tags.get(key) ?? 0) + 1);
  return [...tags]
    .sort(([a], [b]) => byteOrder(a, b))
    .map(([key, count]) => ({ repository: key.replace(':', '_'), tags: count }));
}
