import { join } from 'node:path';
import type { Digest } from '../../../../formats/digest.ts';
import { blobPath } from '../../../../formats/oci/layout.ts';
import { unwritable } from '../../../kernel/events/index.ts';
import { type HeldFolder, holdFolder, openFile, requireOwnNames } from '../../../kernel/files/index.ts';
import { freeSpaceNow } from '../../../kernel/machine/index.ts';
import type { ContentHolder } from '../content.ts';
import { type Names, partsOf } from '../names.ts';
import { dropManifest, dropTag, type PushedManifest, shareBlob, storeBlob, storeManifest } from './changes.ts';
import { storePaths } from './layout.ts';
import { lockStore } from './lock.ts';
import { readState } from './read-state.ts';
import { dropLink, memoryOf, newState, type StoredRepository, type StoreState } from './state.ts';
import { cancel, sweep } from './sweep.ts';
import { beginUpload, type Upload } from './upload.ts';

export {
  /** Decides whether an error says that the disk, or a quota on it, is full. */
  isFull,
} from './durable-files.ts';
export {
  /** Returns the folder of a repository, as one could write it in a URL. */
  folderOf,
} from './layout.ts';

export type { StoredRepository } from './state.ts';
export type { Upload } from './upload.ts';

/**
 * Content that clients push, kept in a folder: each digest once, whichever repositories have it. Everything that was
 * answered with success is durable. A killed process leaves nothing half done that a client could see.
 */
export interface Store extends ContentHolder, Names, AsyncDisposable {
  get(key: string): StoredRepository | undefined;
  /** Returns all tags and their digests. */
  tagged(): readonly { readonly key: string; readonly tag: string; readonly digest: Digest }[];
  begin(key: string, algorithm: 'sha256' | 'sha512'): Promise<Upload>;
  /** Returns the upload with this id, if it belongs to this repository. */
  upload(key: string, id: string): Upload | undefined;
  cancel(upload: Upload): Promise<void>;
  /**
   * Ends an upload that holds exactly `digest`; its repository has that blob from then on. Throws `FormatError`
   * `digest-mismatch`.
   */
  finish(upload: Upload, digest: Digest): Promise<void>;
  /** Adds a blob of another repository to this one. Returns false where no repository has it. */
  mount(key: string, digest: Digest): Promise<boolean>;
  /** Stores a manifest, and sets tags to it. */
  putManifest(key: string, manifest: PushedManifest, tags: readonly string[]): Promise<void>;
  removeTag(key: string, tag: string): Promise<void>;
  /** Removes a manifest from a repository, with all tags of it. */
  removeManifest(key: string, digest: Digest): Promise<void>;
  removeBlob(key: string, digest: Digest): Promise<void>;
  /**
   * Cancels the upload that has been idle longest, if it has been since `before` (milliseconds since 1970). Returns
   * false where there is none.
   */
  dropStalest(before: number): Promise<boolean>;
  /** Removes what nobody has used since `before` (milliseconds since 1970). */
  sweep(before: number): Promise<void>;
  /** Counts distinct contents, and uploads that are under way. */
  facts(): { readonly blobs: number; readonly uploads: number };
  /** Returns about how many bytes of memory all takes that is known of contents and tags. */
  remembered(): number;
  /** Returns the bytes that may still be written to its disk; undefined where the system does not tell. */
  freeBytes(): number | undefined;
}

/**
 * Opens the store in `folder`, which is made where it is absent. `onProblem` receives what is damaged in it. Throws
 * `store-busy` where another process has it open, `disk-full`, and `output-unwritable`, also where this is root and
 * others may change the folder.
 */
export async function openStore(
  folder: string,
  onProblem: (problem: unknown) => void = () => undefined,
): Promise<Store> {
  let held: HeldFolder | undefined;
  try {
    held = await holdFolder(folder, true);
    requireOwnNames(folder, await held.stat());
    const state = newState(storePaths(folder, held));
    const lock = await lockStore(held);
    const release = (): Promise<void> => lock.release().finally(held!.close);
    try {
      await readState(state, onProblem);
    } catch (error) {
      await lock.release();
      throw error;
    }
    return storeOf(state, release);
  } catch (error) {
    await held?.close();
    throw unwritable(folder, error);
  }
}

function storeOf(state: StoreState, release: () => Promise<void>): Store {
  const { paths, repositories, links, uploads, serial } = state;

  return {
    name: paths.folder,
    read: ({ digest }) => openFile(join(paths.folder, blobPath(digest)), 0, paths.blob(digest)),
    has: (key) => repositories.has(key),
    registries: (bare) => {
      const hosts = [...repositories].flatMap(([key, { tags }]) => {
        const part = partsOf(key);
        return part.registry !== '' && part.bare === bare ? [{ host: part.registry, tagged: tags.size > 0 }] : [];
      });
      // A push that did not reach its tag does not change what names mean.
      const tagged = hosts.filter((host) => host.tagged);
      return (tagged.length > 0 ? tagged : hosts).map(({ host }) => host);
    },
    keys: () => [...repositories].flatMap(([key, { manifests }]) => (manifests.size > 0 ? [key] : [])),
    tagged: () =>
      [...repositories].flatMap(([key, { tags }]) => [...tags].map(([tag, digest]) => ({ key, tag, digest }))),
    get: (key) => repositories.get(key),
    begin: async (key, algorithm) => {
      const upload = await beginUpload(paths.uploads, key, algorithm);
      uploads.set(upload.id, upload);
      return upload;
    },
    upload: (key, id) => {
      const upload = uploads.get(id);
      return upload?.key === key ? upload : undefined;
    },
    cancel: ({ id }) => cancel(state, id),
    finish: async (upload, digest) => {
      await upload.seal(digest);
      await serial(() => storeBlob(state, upload, digest));
    },
    mount: (key, digest) => serial(() => shareBlob(state, key, digest)),
    putManifest: (key, manifest, tags) => serial(() => storeManifest(state, key, manifest, tags)),
    removeTag: (key, tag) => serial(() => dropTag(state, key, tag)),
    removeManifest: (key, digest) => serial(() => dropManifest(state, key, digest)),
    removeBlob: (key, digest) => serial(() => dropLink(state, key, 'blobs', digest)),
    sweep: (before) => sweep(state, before),
    dropStalest: async (before) => {
      const [stalest] = [...uploads.values()].sort((a, b) => a.used - b.used);
      if (!stalest || stalest.used >= before) return false;
      await cancel(state, stalest.id);
      return true;
    },
    facts: () => ({ blobs: links.size, uploads: uploads.size }),
    remembered: () => memoryOf(state),
    freeBytes: () => freeSpaceNow(paths.folder),
    [Symbol.asyncDispose]: async () => {
      for (const id of uploads.keys()) await cancel(state, id);
      await serial(release);
    },
  };
}
