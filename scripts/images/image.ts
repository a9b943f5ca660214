import { createHash } from 'node:crypto';
import { type Member, tar } from './tar.ts';

/** Content and its SHA-256, in hex. */
export interface Blob {
  readonly hex: string;
  readonly bytes: Uint8Array;
}

/** An image for one platform. */
export interface Image {
  readonly architecture: string;
  readonly config: Blob;
  /** Uncompressed tar files, the lowest first. */
  readonly layers: readonly Blob[];
  readonly manifest: Blob;
}

/** An image for several platforms, with its reference. */
export interface MultiImage {
  readonly reference: string;
  readonly images: readonly Image[];
  readonly index: Blob;
}

/** What an image adds to its base layer. */
export interface Recipe {
  readonly reference: string;
  readonly title: string;
  readonly version: string;
  readonly created: string;
  readonly port: number;
  readonly entrypoint: readonly string[];
  readonly files: readonly Member[];
}

/** The base layer of each architecture, and its line in the history. */
export interface Base {
  readonly layers: ReadonlyMap<string, Blob>;
  readonly created: string;
}

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
};

/** Names `bytes` by their digest. */
export function blob(bytes: Uint8Array): Blob {
  return { hex: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** Encodes `value` as JSON without white space. */
export function json(value: unknown): Blob {
  return blob(Buffer.from(JSON.stringify(value)));
}

/** Returns a descriptor of `content` (OCI image-spec "Content Descriptors"). */
export function descriptor(mediaType: string, { hex, bytes }: Blob): object {
  return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
}

/** Returns the entry of `image` for a layout's `index.json`. */
export function layoutEntry({ index, reference }: MultiImage): object {
  return { ...descriptor(types.index, index), annotations: { 'org.opencontainers.image.ref.name': reference } };
}

/**
 * Builds an image of the base and one more layer, for each architecture of the base (OCI image-spec "Image
 * Configuration", "Image Manifest", "Image Index"). Layers are not compressed, because the output of a compressor
 * depends on its version.
 */
export function buildImage(recipe: Recipe, base: Base): MultiImage {
  const top = blob(tar(recipe.files, new Date(recipe.created)));
  const images = [...base.layers].map(([architecture, layer]) =>
    platformImage(recipe, architecture, [layer, top], base),
  );
  const index = json({
    schemaVersion: 2,
    mediaType: types.index,
    manifests: images.map(({ architecture, manifest }) => ({
      ...descriptor(types.manifest, manifest),
      platform: { architecture, os: 'linux' },
    })),
    annotations: labels(recipe),
  });
  return { reference: recipe.reference, images, index };
}

function platformImage(recipe: Recipe, architecture: string, layers: readonly Blob[], base: Base): Image {
  const config = json({
    created: recipe.created,
    architecture,
    os: 'linux',
    config: {
      User: '65532:65532',
      ExposedPorts: { [`${recipe.port}/tcp`]: {} },
      Env: ['PATH=/bin'],
      Entrypoint: recipe.entrypoint,
      WorkingDir: '/',
      Labels: labels(recipe),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ hex }) => `sha256:${hex}`) },
    history: [
      { created: base.created, created_by: 'base: /bin/server' },
      { created: recipe.created, created_by: `${recipe.title}: /www, /etc/passwd` },
    ],
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptor(types.config, config),
    layers: layers.map((layer) => descriptor(types.layer, layer)),
  });
  return { architecture, config, layers, manifest };
}

function labels({ title, version, created }: Recipe): Record<string, string> {
  return {
    'org.opencontainers.image.title': title,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  };
}
