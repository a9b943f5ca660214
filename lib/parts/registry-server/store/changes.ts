import { createHash } from 'node:crypto';
import { algorithmOf, type Digest, hexOf } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import type { Index, Manifest } from '../../../../formats/oci/manifest.ts';
import { moveInto, removeFile, writeWhole } from './durable-files.ts';
import {
  addLink,
  countLink,
  dropLink,
  repositoryOf,
  type StoredRepository,
  type StoreState,
  storedManifest,
} from './state.ts';
import type { Upload } from './upload.ts';

/** A manifest that was pushed, with its exact bytes. */
export interface PushedManifest {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
  readonly value: Manifest | Index;
}

/** Moves a sealed upload to the contents, and links its repository to it. */
export async function storeBlob(state: StoreState, upload: Upload, digest: Digest): Promise<void> {
  const { paths, uploads, links } = state;
  await moveInto(upload.path, paths.blob(digest));
  uploads.delete(upload.id);
  try {
    await linkBlob(state, upload.key, digest, upload.size);
  } catch (error) {
    // Without a link this content would never be removed.
    if (!links.has(digest)) await removeFile(paths.blob(digest));
    throw error;
  }
}

/** Links a repository to a blob that another one has; false where none has it. */
export async function shareBlob(state: StoreState, key: string, digest: Digest): Promise<boolean> {
  const size = sizeIn(state.repositories.values(), digest);
  if (size !== undefined) await linkBlob(state, key, digest, size);
  return size !== undefined;
}

/** Writes a manifest, links its repository to it, and sets its tags. Throws `FormatError` `digest-mismatch`. */
export async function storeManifest(
  state: StoreState,
  key: string,
  { descriptor, bytes, value }: PushedManifest,
  tags: readonly string[],
): Promise<void> {
  const { paths } = state;
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
}

/** Removes a tag from a repository. */
export async function dropTag({ paths, repositories }: StoreState, key: string, tag: string): Promise<void> {
  if (repositories.get(key)?.tags.delete(tag)) await removeFile(paths.tag(key, tag));
}

/** Removes the tags of a manifest from a repository, then its link to it. */
export async function dropManifest(state: StoreState, key: string, digest: Digest): Promise<void> {
  const { tags = new Map<string, Digest>() } = state.repositories.get(key) ?? {};
  for (const tag of [...tags.keys()].filter((name) => tags.get(name) === digest)) await dropTag(state, key, tag);
  await dropLink(state, key, 'manifests', digest);
}

async function linkBlob(state: StoreState, key: string, digest: Digest, size: number): Promise<void> {
  const repository = repositoryOf(state, key);
  const known = repository.blobs.has(digest);
  if (!known) await addLink(state, key, 'blobs', digest);
  repository.blobs.set(digest, { size, used: Date.now() });
  if (!known) countLink(state, digest);
}

function sizeIn(repositories: Iterable<StoredRepository>, digest: Digest): number | undefined {
  for (const { blobs, manifests } of repositories) {
    const size = blobs.get(digest)?.size ?? manifests.get(digest)?.descriptor.size;
    if (size !== undefined) return size;
  }
  return undefined;
}
