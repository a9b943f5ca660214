import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar/header';
import { byteOrder } from '../../formats/bytes.ts';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { annotations, type Descriptor, mediaTypes, type Platform } from '../../formats/oci/descriptor.ts';
import { blobPath, layoutMarker, layoutPaths } from '../../formats/oci/layout.ts';
import { encodeIndex, encodeManifest } from '../../formats/oci/manifest.ts';

/** A small image in memory. */
export interface TestImage {
  /** The index over all platforms. */
  readonly index: Descriptor;
  /** The manifest of each platform, in the order they were asked for. */
  readonly manifests: readonly Descriptor[];
  /** Every manifest, config and layer, and the index. */
  readonly blobs: Map<Digest, Uint8Array>;
}

/** What `buildImage` makes: `platforms` as `os/architecture[/variant]`, files by path, and what makes it different. */
export interface ImageOptions {
  platforms?: readonly string[];
  files?: Readonly<Record<string, string>>;
  seed?: string;
  /** Further labels of its config. */
  labels?: Readonly<Record<string, string>>;
  /** How the layer of the files is compressed; by zlib, where it is left out. */
  compress?: (tar: Uint8Array) => Uint8Array;
}

/** A tar archive of files, made without solpack's own writer. */
export function tarOf(files: Readonly<Record<string, string>>): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const [path, content] of Object.entries(files).sort(([a], [b]) => byteOrder(a, b))) {
    const body = Buffer.from(content);
    const header = new Header({
      path,
      mode: 0o644,
      uid: 0,
      gid: 0,
      size: body.length,
      mtime: new Date(0),
      type: 'File',
    });
    header.encode();
    blocks.push(header.block!, body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** An image of two gzipped layers for each platform: one of `files`, and one that names the platform. */
export function buildImage(options: ImageOptions = {}): TestImage {
  const blobs = new Map<Digest, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const digest = sha256(bytes);
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const files = options.files ?? { 'etc/hello': `hello from ${options.seed ?? 'solpack'}\n` };
  const manifests = (options.platforms ?? ['linux/amd64']).map((name): Descriptor => {
    const [os = '', architecture = '', variant] = name.split('/');
    const platform: Platform = { os, architecture, ...(variant === undefined ? {} : { variant }) };
    const tars = [tarOf(files), tarOf({ 'etc/platform': `${name}\n` })];
    const config = add(
      mediaTypes.config,
      encodeJson({
        created: '1970-01-01T00:00:00Z',
        ...platform,
        config: { Cmd: ['/bin/hello'], Labels: { seed: options.seed ?? '', ...options.labels } },
        rootfs: { type: 'layers', diff_ids: tars.map(sha256) },
        history: tars.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'solpack tests' })),
      }),
    );
    const { compress = gzipSync } = options;
    const layers = tars.map((tar, at) => add(mediaTypes.layerGzip, at === 0 ? compress(tar) : gzipSync(tar)));
    return { ...add(mediaTypes.manifest, encodeManifest({ config, layers })), platform };
  });
  return { index: add(mediaTypes.index, encodeIndex({ manifests })), manifests, blobs };
}

/** An image and the name it has in a layout; '' leaves it without one. */
export interface NamedImage {
  name: string;
  /** To name one manifest instead of the index, pass `{ ...image, index: image.manifests[0]! }`. */
  image: Pick<TestImage, 'index' | 'blobs'>;
}

/** The files of an OCI image layout, by path; names are `org.opencontainers.image.ref.name`. */
export function layoutFiles(images: readonly NamedImage[]): Map<string, Uint8Array> {
  const manifests = images.map(({ name, image }) =>
    name === '' ? image.index : { ...image.index, annotations: { [annotations.refName]: name } },
  );
  const files = new Map([
    [layoutPaths.marker as string, layoutMarker],
    [layoutPaths.index, encodeIndex({ manifests })],
  ]);
  for (const { image } of images) for (const [digest, bytes] of image.blobs) files.set(blobPath(digest), bytes);
  return files;
}

/** Writes an OCI image layout into `folder`, which is made if absent. */
export async function writeLayout(folder: string, images: readonly NamedImage[]): Promise<void> {
  for (const [path, bytes] of layoutFiles(images)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}
