import { type Digest, hexOf } from '../digest.ts';
import { encodeJson } from '../json.ts';
import type { FileEntry } from '../segments.ts';
import { annotations, type Descriptor } from './descriptor.ts';
import { blobPath, layoutMarker, layoutPaths } from './layout.ts';
import { encodeIndex, type Manifest } from './manifest.ts';

/** An image, as it is put into an archive of images. */
export interface ArchivedImage {
  /** Its names there, at least one: whole references. */
  readonly names: readonly string[];
  readonly descriptor: Descriptor;
  /** All that it consists of. */
  readonly contents: readonly Descriptor[];
}

/** A file of such an archive: bytes that are made here, or content of an image. */
export interface ImageArchiveFile extends FileEntry {
  readonly content: Uint8Array | Descriptor;
}

/**
 * Lists the files of an OCI layout with `images`, in the order in which they are written: what names comes before what
 * is named, and each content is there once. An entry has its name as `org.opencontainers.image.ref.name` and as
 * `io.containerd.image.name`, because containerd puts names of its own in the place of others. With `docker`,
 * `manifest.json` comes with it, which Docker reads. The same images make the same files. Follows image-spec "Image
 * Layout".
 */
export function imageArchiveFiles(images: readonly ArchivedImage[], docker?: Uint8Array): ImageArchiveFile[] {
  const entries = images.flatMap(({ names, descriptor }) => names.map((name) => entryOf(descriptor, name)));
  const contents = new Map(images.flatMap((image) => image.contents).map((one) => [one.digest, one]));
  return [
    madeFile(layoutPaths.marker, layoutMarker),
    madeFile(layoutPaths.index, encodeIndex({ manifests: entries })),
    ...(docker === undefined ? [] : [madeFile('manifest.json', docker)]),
    ...[...contents.values()].map((content) => {
      const path = blobPath(content.digest);
      return { path, size: content.size, mode: 0o644, key: path, content };
    }),
  ];
}

function madeFile(path: string, content: Uint8Array): ImageArchiveFile {
  return { path, size: content.length, mode: 0o644, key: path, content };
}

function entryOf({ mediaType, digest, size }: Descriptor, name: string): Descriptor {
  return {
    mediaType,
    digest,
    size,
    annotations: { [annotations.containerdName]: name, [annotations.refName]: name },
  };
}

/** A manifest of an image, and the names of the image. */
export interface DockerListed {
  readonly names: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Writes the `manifest.json` by which `docker load` and `podman load` find the images of an archive, whose files are
 * blobs of a layout.
 */
export function dockerManifestFile(images: readonly DockerListed[]): Uint8Array {
  return encodeJson(
    images.map(({ names, manifest: { config, layers } }) => ({
      Config: blobPath(config.digest),
      RepoTags: names,
      Layers: layers.map(({ digest }) => blobPath(digest)),
    })),
  );
}

/** Returns the beginning of a digest, by which people tell files apart. */
export function shortDigest(digest: Digest): string {
  return hexOf(digest).slice(0, 12);
}
