import { collect, join, type ReadAt, slice } from '../bytes.ts';
import { type Digest, isDigest, sha256 } from '../digest.ts';
import { FormatError } from '../error.ts';
import { decodeJson } from '../json.ts';
import { type Descriptor, mediaTypes } from '../oci/descriptor.ts';
import { encodeManifest } from '../oci/manifest.ts';
import { listOf, z } from '../schema.ts';
import { sizePair } from '../size-words.ts';
import type { Tree, TreeEntry } from '../tree.ts';
import { followLinks } from './links.ts';

/** The path of the file that lists the images of an archive. */
export const dockerManifestPath = 'manifest.json';

/** The largest `manifest.json` or config that is read, in bytes. */
const DOCUMENT_LIMIT = 4 * 1024 * 1024;
/** How many images an archive may list. The config of each has to be read. */
const IMAGE_LIMIT = 1000;
/** How many layers all images may have together. */
const LAYER_LIMIT = 2 ** 16;

/** A layer as it lies in the archive. */
export interface DockerLayer {
  /** The file that holds its bytes. */
  readonly file: TreeEntry;
  readonly mediaType: string;
  /** The digest of a layer that is stored as a plain tar. Undefined for a compressed one, which has to be hashed. */
  readonly digest: Digest | undefined;
}

/** An image of the archive; `encodeDockerImage` makes its manifest. */
export interface DockerImage {
  /** Names, such as `docker.io/library/nginx:1.27.3`, as stored. */
  readonly repoTags: readonly string[];
  readonly config: { readonly file: TreeEntry; readonly descriptor: Descriptor };
  readonly layers: readonly DockerLayer[];
}

const itemsSchema = listOf(
  z.object({
    Config: z.string(),
    RepoTags: listOf(z.string()).nullish(),
    Layers: listOf(z.string()).nullish(),
  }),
);

const configSchema = z.object({
  rootfs: z.object({ diff_ids: listOf(z.custom<Digest>(isDigest, 'has to be a digest')).nullish() }),
});

/** Returns whether a tree is that of `docker save`: it has a `manifest.json` at its top. */
export async function isDockerArchive(tree: Tree): Promise<boolean> {
  return (await tree.lookup(dockerManifestPath)) !== undefined;
}

/**
 * Lists the images of an archive in the order of its `manifest.json`, as `docker save` (image specification v1.2) and
 * `podman save` write it. Layers that are symbolic links to others are followed. Reads the configs, and the first bytes
 * of each layer, which say whether it is compressed. Throws `FormatError` `docker-archive-invalid`.
 */
export async function readDockerArchive(tree: Tree, source: ReadAt): Promise<DockerImage[]> {
  const list = await followLinks(tree, dockerManifestPath);
  const items = decodeJson(await contentOf(list, source), itemsSchema, 'docker-archive-invalid', dockerManifestPath);
  if (items.length > IMAGE_LIMIT) throw invalid(`manifest.json lists ${items.length} images, more than ${IMAGE_LIMIT}`);
  const images: DockerImage[] = [];
  const configs = new Map<string, DockerConfig>();
  let count = 0;
  for (const { Config, RepoTags, Layers } of items) {
    const file = await followLinks(tree, Config);
    const config = configs.get(file.path) ?? (await configIn(file, source));
    configs.set(file.path, config);
    const { descriptor, diffIds } = config;
    requireNamed(Config, descriptor.digest);
    const paths = Layers ?? [];
    if (paths.length !== diffIds.length) {
      throw invalid(`${Config} has ${diffIds.length} layers, but manifest.json lists ${paths.length}`);
    }
    count += paths.length;
    if (count > LAYER_LIMIT) throw invalid(`its images have more than ${LAYER_LIMIT} layers together`);
    const layers: DockerLayer[] = [];
    for (const [at, path] of paths.entries())
      layers.push(await layerAt(await followLinks(tree, path), diffIds[at]!, source));
    images.push({ repoTags: RepoTags ?? [], config: { file, descriptor }, layers });
  }
  return images;
}

/**
 * Encodes an OCI image manifest for an image whose layers have the digests `digests`, in order. It names config and
 * layers as they are stored, so nothing is compressed or written again. The same archive gives the same manifest
 * (image-spec "Image Manifest").
 */
export function encodeDockerImage(image: DockerImage, digests: readonly Digest[]): Uint8Array {
  const layers = image.layers.map(({ file, mediaType }, at) => ({ mediaType, digest: digests[at]!, size: file.size }));
  return encodeManifest({ config: image.config.descriptor, layers });
}

async function layerAt(file: TreeEntry, diffId: Digest, source: ReadAt): Promise<DockerLayer> {
  const first = file.extents[0];
  const head = first ? await source.read(first.offset, Math.min(first.size, 4)) : new Uint8Array(0);
  const magic = Buffer.from(head).toString('hex');
  if (magic.startsWith('1f8b')) return { file, mediaType: mediaTypes.layerGzip, digest: undefined };
  if (magic === '28b52ffd') return { file, mediaType: `${mediaTypes.layer}+zstd`, digest: undefined };
  return { file, mediaType: mediaTypes.layer, digest: diffId };
}

/** The part of a config that is read here. Several images may share a config. */
interface DockerConfig {
  readonly descriptor: Descriptor;
  /** Digests of the layers as plain tar archives. */
  readonly diffIds: readonly Digest[];
}

async function configIn(file: TreeEntry, source: ReadAt): Promise<DockerConfig> {
  const bytes = await contentOf(file, source);
  const { rootfs } = decodeJson(bytes, configSchema, 'docker-archive-invalid', file.path);
  const descriptor = { mediaType: mediaTypes.config, digest: sha256(bytes), size: bytes.length };
  return { descriptor, diffIds: rootfs.diff_ids ?? [] };
}

/** Checks a file name that is a digest, as that of a config usually is: it must be the digest of the config. */
function requireNamed(path: string, digest: Digest): void {
  const hex = /(?:^|[/:])([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1];
  if (hex !== undefined && digest !== `sha256:${hex}`) throw invalid(`the config ${path} has the digest ${digest}`);
}

async function contentOf(file: TreeEntry, source: ReadAt): Promise<Uint8Array> {
  if (file.size > DOCUMENT_LIMIT) {
    const [size, most] = sizePair(file.size, DOCUMENT_LIMIT);
    throw invalid(`${file.path} has ${size}, more than ${most}`);
  }
  return collect(join(file.extents.map(({ offset, size }) => slice(source, offset, size))), DOCUMENT_LIMIT);
}

function invalid(message: string): FormatError {
  return new FormatError('docker-archive-invalid', message);
}
