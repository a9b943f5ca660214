import * as fs from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Digest, isDigest, sha256 } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { isManifestType } from '../../../../formats/oci/descriptor.ts';
import { parseManifest } from '../../../../formats/oci/manifest.ts';
import { isRepository, isTag } from '../../../../formats/oci/reference.ts';
import { codeOf } from '../../../kernel/events/index.ts';
import { requireOwnNames } from '../../../kernel/files/index.ts';
import { pushedKey } from '../names.ts';
import { folderEntries, makeDurableFolder, removeFile } from './durable-files.ts';
import { folderOf, type LinkKind } from './layout.ts';
import { countLink, repositoryOf, type StoredRepository, type StoreState, storedManifest } from './state.ts';

/**
 * Reads the state of a store from its folder, and removes what a killed process left half done: uploads, and content
 * that no repository has. Damaged entries are left out and reported to `onProblem`.
 */
export async function readState(state: StoreState, onProblem: (problem: unknown) => void): Promise<void> {
  const { paths } = state;
  const folders = [paths.uploads, paths.blobs, paths.repositories];
  await Promise.all(folders.map(makeDurableFolder));
  for (const path of folders) requireOwnNames(join(paths.folder, basename(path)), await fs.stat(path));
  for (const { name } of await folderEntries(paths.uploads)) await removeFile(join(paths.uploads, name));
  await walk(state, '', onProblem);
  for (const { digest, path } of await digestsIn(paths.blobs)) {
    if (!state.links.has(digest)) await removeFile(path);
  }
}

async function walk(state: StoreState, folder: string, onProblem: (problem: unknown) => void): Promise<void> {
  const names = (await folderEntries(join(state.paths.repositories, folder))).filter(({ isFolder }) => isFolder);
  const inner = names.filter(({ name }) => !name.startsWith('_'));
  if (inner.length < names.length && isRepository(folder)) await readRepository(state, folder, onProblem);
  for (const { name } of inner) await walk(state, folder === '' ? name : `${folder}/${name}`, onProblem);
}

async function readRepository(state: StoreState, folder: string, onProblem: (problem: unknown) => void): Promise<void> {
  const key = pushedKey(folder);
  const place = join(state.paths.repositories, folderOf(key));
  const links = async (kind: LinkKind): Promise<DigestFile[]> => digestsIn(join(place, `_${kind}`));
  const repository = repositoryOf(state, key);
  for (const { digest, path } of await links('blobs')) {
    const [size, used] = await Promise.all([sizeOf(state, digest), fs.stat(path).then(({ mtimeMs }) => mtimeMs)]);
    if (size === undefined) onProblem(lost(key, digest));
    else add(state, digest, () => repository.blobs.set(digest, { size, used }));
  }
  for (const { digest, path } of await links('manifests')) {
    try {
      const manifest = await readManifest(state, digest, await fs.readFile(path, 'utf8'));
      add(state, digest, () => repository.manifests.set(digest, manifest));
    } catch (error) {
      onProblem(error instanceof FormatError || codeOf(error) === 'ENOENT' ? lost(key, digest) : error);
    }
  }
  await readTags(place, repository);
}

async function readTags(place: string, { tags, manifests }: StoredRepository): Promise<void> {
  for (const { name } of await folderEntries(join(place, '_tags'))) {
    const digest = await fs.readFile(join(place, '_tags', name), 'utf8');
    // A tag may outlast its manifest where a process was killed while it removed both.
    if (isTag(name) && isDigest(digest) && manifests.has(digest)) tags.set(name, digest);
    else await removeFile(join(place, '_tags', name));
  }
}

function add(state: StoreState, digest: Digest, set: () => void): void {
  set();
  countLink(state, digest);
}

async function readManifest(
  state: StoreState,
  digest: Digest,
  mediaType: string,
): Promise<ReturnType<typeof storedManifest>> {
  const bytes = await fs.readFile(state.paths.blob(digest));
  if (!isManifestType(mediaType))
    throw new FormatError('manifest-invalid', `${mediaType} is not the type of a manifest`);
  if (digest.startsWith('sha256:') && sha256(bytes) !== digest) throw new FormatError('digest-mismatch', digest);
  return storedManifest({ mediaType, digest, size: bytes.length }, parseManifest(bytes, mediaType));
}

async function sizeOf({ paths }: StoreState, digest: Digest): Promise<number | undefined> {
  try {
    return (await fs.stat(paths.blob(digest))).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function lost(key: string, digest: Digest): Error {
  return new Error(`the store lacks ${digest} of ${key}, or its content is damaged: push it again`);
}

interface DigestFile {
  readonly digest: Digest;
  readonly path: string;
}

/** Lists the files `sha256/HEX` and `sha512/HEX` of a folder. */
async function digestsIn(folder: string): Promise<DigestFile[]> {
  const found: DigestFile[] = [];
  for (const algorithm of ['sha256', 'sha512']) {
    for (const { name } of await folderEntries(join(folder, algorithm))) {
      const digest = `${algorithm}:${name}`;
      if (isDigest(digest)) found.push({ digest, path: join(folder, algorithm, name) });
    }
  }
  return found;
}
