import { byteOrder, collect } from '../../../../formats/bytes.ts';
import { algorithmOf, hexOf, sha256, verified } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { metalk8sPaths } from '../../../../formats/metalk8s/names.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { type Index, MANIFEST_LIMIT, type Manifest, parseManifest } from '../../../../formats/oci/manifest.ts';
import { isRepository, isTag } from '../../../../formats/oci/reference.ts';
import { sizeWords } from '../../../../formats/size-words.ts';
import type { TreeEntry } from '../../../../formats/tree.ts';
import { entryBytes, entryReader, type OpenedFiles, platformIn } from '../../../parts/archives/index.ts';
import type { FoundImages, MediumImage, UnusableImage } from './found.ts';

const MANIFEST = 'manifest.json';

/** Most bytes of a config. */
const CONFIG_LIMIT = 16 * 1024 * 1024;

/**
 * Finds the images of a medium: each folder `images/<name>/<tag>` with a manifest. What is none is reported, and left
 * out.
 */
export async function findImages(opened: OpenedFiles): Promise<FoundImages> {
  const folders = new Map<string, TreeEntry | undefined>();
  const contents = new Map<string, TreeEntry[]>();
  for await (const entry of opened.tree.walk(metalk8sPaths.images)) {
    const [, name, tag, file, ...more] = entry.path.split('/');
    if (name === undefined || tag === undefined || more.length > 0) continue;
    const folder = `${name}/${tag}`;
    if (file === undefined && entry.type === 'dir') folders.set(folder, folders.get(folder));
    if (file === undefined || entry.type !== 'file') continue;
    if (file === MANIFEST) folders.set(folder, entry);
    const hex = /^([0-9a-f]{64})(?:\.manifest\.json)?$/.exec(file)?.[1];
    if (hex !== undefined) contents.set(hex, [...(contents.get(hex) ?? []), entry]);
  }
  const images: MediumImage[] = [];
  const unusable: UnusableImage[] = [];
  for (const folder of [...folders.keys()].sort(byteOrder)) {
    const path = `${metalk8sPaths.images}/${folder}`;
    const [name, tag] = folder.split('/') as [string, string];
    try {
      const { entry, descriptor } = await imageIn(opened, contents, folders.get(folder), [name, tag]);
      images.push({ name, tag, descriptor });
      const hex = hexOf(descriptor.digest);
      contents.set(hex, [entry, ...(contents.get(hex) ?? [])]);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      unusable.push({ path, message: error.message });
    }
  }
  return { images, unusable, contents };
}

async function imageIn(
  opened: OpenedFiles,
  contents: FoundImages['contents'],
  entry: TreeEntry | undefined,
  [name, tag]: readonly [string, string],
): Promise<{ entry: TreeEntry; descriptor: Descriptor }> {
  if (!isRepository(name) || !isTag(tag)) throw refusal('its names are not those of an image and a tag');
  if (!entry) throw refusal(`it has no ${MANIFEST}`);
  if (entry.size > MANIFEST_LIMIT) throw refusal(`its ${MANIFEST} has ${sizeWords(entry.size)}`);
  const bytes = await entryReader(opened.file, entry).read(0, entry.size);
  const value = parseManifest(bytes);
  await requireConsistent(opened, contents, value);
  return { entry, descriptor: { mediaType: value.mediaType, digest: sha256(bytes), size: bytes.length } };
}

/** Requires what is read of an image before its layers: configs, and the manifests that an index names. */
async function requireConsistent(
  opened: OpenedFiles,
  contents: FoundImages['contents'],
  value: Manifest | Index,
): Promise<void> {
  if (value.kind === 'manifest') {
    const { config } = value;
    const bytes = await readContent(opened, contents, config, CONFIG_LIMIT);
    if (isImageConfig(config.mediaType)) platformIn(bytes);
    return;
  }
  for (const child of value.manifests) {
    const bytes = await readContent(opened, contents, child, MANIFEST_LIMIT);
    const below = parseManifest(bytes, child.mediaType);
    if (below.kind === 'index') throw refusal('it is an index of indexes');
    await requireConsistent(opened, contents, below);
  }
}

async function readContent(
  { file }: OpenedFiles,
  contents: FoundImages['contents'],
  { digest, size }: Descriptor,
  limit: number,
): Promise<Uint8Array> {
  const entry = algorithmOf(digest) === 'sha256' ? contents.get(hexOf(digest))?.[0] : undefined;
  if (!entry) throw refusal(`it names ${digest}, but no file has that name`);
  if (size > limit) throw refusal(`${digest} has ${sizeWords(size)}`);
  return collect(verified(entryBytes(file, entry), { digest, size }), limit);
}

function isImageConfig(mediaType: string): boolean {
  return /image(\.config)?\.v1\+json$/.test(mediaType);
}

function refusal(message: string): FormatError {
  return new FormatError('manifest-invalid', message);
}
