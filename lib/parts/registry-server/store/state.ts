import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { childrenOf, type Index, type Manifest } from '../../../../formats/oci/manifest.ts';
import { listedTypeOf } from '../referrer.ts';
import { removeFile, writeWhole } from './durable-files.ts';
import type { LinkKind, StorePaths } from './layout.ts';
import type { Upload } from './upload.ts';

/** A manifest of a repository. */
export interface StoredManifest {
  readonly descriptor: Descriptor;
  /** Everything that it names; none of it may be removed. */
  readonly children: readonly Digest[];
  readonly subject: Digest | undefined;
  /** What the list of its subject's referrers says that it is. */
  readonly artifactType: string | undefined;
}

/** A blob of a repository. */
export interface StoredBlob {
  readonly size: number;
  /** When a client last asked for it or sent it, in milliseconds since 1970. */
  used: number;
}

/** A repository of the store. */
export interface StoredRepository {
  readonly tags: Map<string, Digest>;
  readonly manifests: Map<Digest, StoredManifest>;
  readonly blobs: Map<Digest, StoredBlob>;
}

/** Everything that is known of a store; the same is on the disk. */
export interface StoreState {
  readonly paths: StorePaths;
  readonly repositories: Map<string, StoredRepository>;
  /** How many links each content has; content without any is removed. */
  readonly links: Map<Digest, number>;
  readonly uploads: Map<string, Upload>;
  /** Runs changes one after another. */
  serial<T>(work: () => Promise<T>): Promise<T>;
}

/** Returns an empty state. */
export function newState(paths: StorePaths): StoreState {
  let last: Promise<unknown> = Promise.resolve();
  return {
    paths,
    repositories: new Map(),
    links: new Map(),
    uploads: new Map(),
    serial: (work) => {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** Bytes of memory for one of each, measured with many of them. */
const REPOSITORY = 1000;
const MANIFEST = 700;
const CHILD = 100;
const BLOB = 300;
const TAG = 250;

/** Returns about how many bytes of memory a state takes. */
export function memoryOf({ repositories }: StoreState): number {
  let bytes = 0;
  for (const { tags, manifests, blobs } of repositories.values()) {
    bytes += REPOSITORY + TAG * tags.size + BLOB * blobs.size;
    for (const { children } of manifests.values()) bytes += MANIFEST + CHILD * children.length;
  }
  return bytes;
}

/** Returns what a store keeps in memory of a manifest. */
export function storedManifest(descriptor: Descriptor, value: Manifest | Index): StoredManifest {
  const { mediaType, digest, size } = descriptor;
  return {
    descriptor: { mediaType, digest, size },
    children: childrenOf(value).map((child) => child.digest),
    subject: value.subject?.digest,
    artifactType: value.subject && listedTypeOf(value),
  };
}

/** Returns the repository `key`, and adds it where there is none. */
export function repositoryOf({ repositories }: StoreState, key: string): StoredRepository {
  const known = repositories.get(key) ?? { tags: new Map(), manifests: new Map(), blobs: new Map() };
  repositories.set(key, known);
  return known;
}

/** Links content to a repository; `text` is the content of the link. To be run by `serial`. */
export async function addLink(
  state: StoreState,
  key: string,
  kind: LinkKind,
  digest: Digest,
  text = '',
): Promise<void> {
  await writeWhole(state.paths.uploads, state.paths.link(key, kind, digest), text);
}

/** Removes content from a repository, and from the disk where no other repository has it. To be run by `serial`. */
export async function dropLink(state: StoreState, key: string, kind: LinkKind, digest: Digest): Promise<void> {
  if (!state.repositories.get(key)?.[kind].delete(digest)) return;
  await removeFile(state.paths.link(key, kind, digest));
  const left = (state.links.get(digest) ?? 1) - 1;
  state.links.set(digest, left);
  if (left > 0) return;
  state.links.delete(digest);
  await removeFile(state.paths.blob(digest));
}

/** Counts a link that now exists. */
export function countLink({ links }: StoreState, digest: Digest): void {
  links.set(digest, (links.get(digest) ?? 0) + 1);
}
