import { memory } from '../../formats/bytes.ts';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import { partsOf } from '../../lib/parts/registry-server/names.ts';
import type { Store } from '../../lib/parts/registry-server/store/index.ts';
import { storePaths } from '../../lib/parts/registry-server/store/layout.ts';
import {
  countLink,
  memoryOf,
  newState,
  repositoryOf,
  storedManifest,
} from '../../lib/parts/registry-server/store/state.ts';

/** A store of `serve` that keeps in memory what the real one has on the disk: blobs that are there, and manifests that are pushed. */
export interface MemoryStore extends Store {
  /** What was pushed, by its digest. */
  readonly pushed: ReadonlyMap<Digest, Uint8Array>;
}

/** Makes a store whose repository `key` has these blobs. */
export function memoryStore(key: string, blobs: readonly Uint8Array[]): MemoryStore {
  const state = newState(storePaths('/nowhere', { at: (name) => `/nowhere/${name}` }));
  const { repositories, links, uploads } = state;
  const contents = new Map<Digest, Uint8Array>();
  const pushed = new Map<Digest, Uint8Array>();
  for (const bytes of blobs) {
    const digest = sha256(bytes);
    contents.set(digest, bytes);
    repositoryOf(state, key).blobs.set(digest, { size: bytes.length, used: 0 });
    countLink(state, digest);
  }
  const never = (): never => {
    throw new FormatError('truncated', 'this store takes manifests alone');
  };
  return {
    pushed,
    name: 'memory',
    read: async ({ digest }) => memory(contents.get(digest) ?? pushed.get(digest) ?? never()),
    has: (one) => repositories.has(one),
    registries: (bare) =>
      [...repositories.keys()]
        .map(partsOf)
        .flatMap((part) => (part.registry !== '' && part.bare === bare ? [part.registry] : [])),
    keys: () => [...repositories.keys()],
    tagged: () => [],
    get: (one) => repositories.get(one),
    putManifest: async (one, { descriptor, bytes, value }, tags) => {
      const repository = repositoryOf(state, one);
      repository.manifests.set(descriptor.digest, storedManifest(descriptor, value));
      for (const tag of tags) repository.tags.set(tag, descriptor.digest);
      pushed.set(descriptor.digest, bytes);
    },
    begin: never,
    upload: () => undefined,
    cancel: never,
    finish: never,
    mount: async () => false,
    removeTag: never,
    removeManifest: never,
    removeBlob: never,
    dropStalest: async () => false,
    sweep: async () => undefined,
    facts: () => ({ blobs: links.size, uploads: uploads.size }),
    remembered: () => memoryOf(state),
    freeBytes: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
