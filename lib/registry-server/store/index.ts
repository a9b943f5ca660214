import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { algorithmOf, type Digest, hexOf } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../formats/oci/layout.ts';
import type { Index, Manifest } from '../../../formats/oci/manifest.ts';
import { type HeldFolder, holdFolder, requireOwnNames } from '../../held-folder.ts';
import { openFile } from '../../open-file.ts';
import { unwritable } from '../../system-errors.ts';
import type { Holder } from '../content.ts';
import { type Names, partsOf } from '../names.ts';
import { moveInto, removeFile, writeWhole } from './durable-files.ts';
import { storePaths } from './layout.ts';
import { lockStore } from './lock.ts';
import { readState } from './read-state.ts';
import {
  addLink,
  countLink,
  dropLink,
  newState,
  repositoryOf,
  type StoredRepository,
  storedManifest,
} from './state.ts';
import { cancel, sweep } from './sweep.ts';
import { beginUpload, type Upload } from './upload.ts';

export type { StoredRepository } from './state.ts';
export type { Upload } from './upload.ts';

/** A manifest that was pushed, with its exact bytes. */
export interface PushedManifest {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly value: Manifest | Index;
}

/**
 * Content that clients push, kept in a folder: each digest once, whichever repositories have it. Everything that was
 * answered with success is durable. A killed process leaves nothing half done that a client could see.
 */
export interface Store extends Holder, Names, AsyncDisposable {
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

function storeOf(state: ReturnType<typeof newState>, release: () => Promise<void>): Store {
  const { paths, repositories, links, uploads, serial } = state;

  const linkBlob = async (key: string, digest: Digest, size: number): Promise<void> => {
    const repository = repositoryOf(state, key);
    const known = repository.blobs.has(digest);
    if (!known) await addLink(state, key, 'blobs', digest);
    repository.blobs.set(digest, { size, used: Date.now() });
    if (!known) countLink(state, digest);
  };

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
      await serial(async () => {
        await moveInto(upload.path, paths.blob(digest));
        uploads.delete(upload.id);
        await linkBlob(upload.key, digest, upload.size).catch(async (error) => {
          // Without a link this content would never be removed.
          if (!links.has(digest)) await removeFile(paths.blob(digest));
          throw error;
        });
      });
    },
    mount: (key, digest) =>
      serial(async () => {
        const size = sizeIn(repositories.values(), digest);
        if (size !== undefined) await linkBlob(key, digest, size);
        return size !== undefined;
      }),
    putManifest: (key, { descriptor, bytes, value }, tags) =>
      serial(async () => {
        const { digest, mediaType } = descriptor;
        const found = createHash(algorithmOf(digest)).update(bytes).digest('hex');
        if (found !== hexOf(digest)) throw new FormatError('digest-mismatch', `found ${algorithmOf(digest)}:${found}`);
        const repository = repositoryOf(state, key);
        const known = repository.manifests.has(digest);
        await writeWhole(paths.uploads, paths.blob(digest), bytes);
        await addLink(state, key, 'manifests', digest, mediaType);
        repository.manifests.set(digest, storedManifest(descriptor, value));
        if (!known) countLink(state, digest);
        for (const tag of tags) {
          await writeWhole(paths.uploads, paths.tag(key, tag), digest);
          repository.tags.set(tag, digest);
        }
      }),
    removeTag: (key, tag) =>
      serial(async () => {
        if (repositories.get(key)?.tags.delete(tag)) await removeFile(paths.tag(key, tag));
      }),
    removeManifest: (key, digest) =>
      serial(async () => {
        const { tags = new Map<string, Digest>() } = repositories.get(key) ?? {};
        for (const tag of [...tags.keys()].filter((name) => tags.get(name) === digest)) {
          tags.delete(tag);
          await removeFile(paths.tag(key, tag));
        }
        await dropLink(state, key, 'manifests', digest);
      }),
    removeBlob: (key, digest) => serial(() => dropLink(state, key, 'blobs', digest)),
    sweep: (before) => sweep(state, before),
    dropStalest: async (before) => {
      const [stalest] = [...uploads.values()].sort((a, b) => a.used - b.used);
      if (!stalest || stalest.used >= before) return false;
      await cancel(state, stalest.id);
      return true;
    },
    facts: () => ({ blobs: links.size, uploads: uploads.size }),
    [Symbol.asyncDispose]: async () => {
      for (const id of uploads.keys()) await cancel(state, id);
      await serial(release);
    },
  };
}

function sizeIn(repositories: Iterable<StoredRepository>, digest: Digest): number | undefined {
  for (const { blobs, manifests } of repositories) {
    const size = blobs.get(digest)?.size ?? manifests.get(digest)?.descriptor.size;
    if (size !== undefined) return size;
  }
  return undefined;
}
