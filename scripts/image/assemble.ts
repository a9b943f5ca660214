import { dirname } from 'node:path';
import { type Blob, blob, descriptor, type Image, json, type MultiImage } from '../images/image.ts';
import { type Member, tar } from '../images/tar.ts';
import { gzip } from '../reproducible/gzip.ts';

/** A layer: what it brings, and files and folders with permissions of their own. */
export interface LayerContent {
  readonly title: string;
  readonly members: readonly Member[];
}

/** What an image is for one architecture. */
export interface PlatformContent {
  readonly architecture: string;
  /** The lowest first. */
  readonly layers: readonly LayerContent[];
}

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};

/**
 * Makes the image of solpack (OCI image-spec "Image Index", "Image Manifest", "Image Configuration"). It runs as a user
 * who has no name and no home. The same contents and the same date give the same bytes; `compress` makes the gzip of a
 * layer.
 */
export function imageOf(
  version: string,
  date: Date,
  platforms: readonly PlatformContent[],
  compress: (bytes: Uint8Array) => Uint8Array = gzip,
): MultiImage {
  const annotations = annotationsOf(version, date);
  const images = platforms.map((platform) => platformImage(platform, date, annotations, compress));
  const index = json({
    schemaVersion: 2,
    mediaType: types.index,
    manifests: images.map(({ architecture, manifest }) => ({
      ...descriptor(types.manifest, manifest),
      platform: { architecture, os: 'linux' },
    })),
    annotations,
  });
  return { reference: `solpack:${version}`, images, index };
}

function platformImage(
  { architecture, layers }: PlatformContent,
  date: Date,
  annotations: Readonly<Record<string, string>>,
  compress: (bytes: Uint8Array) => Uint8Array,
): Image {
  const created = instant(date);
  const files = layers.map(({ members }) => blob(tar(withFolders(members), date)));
  const packed: Blob[] = files.map(({ bytes }) => blob(compress(bytes)));
  const config = json({
    created,
    architecture,
    os: 'linux',
    config: {
      User: '65532:65532',
      Env: ['PATH=/usr/bin'],
      Entrypoint: ['/usr/bin/solpack'],
      WorkingDir: '/work',
      Labels: annotations,
    },
    rootfs: { type: 'layers', diff_ids: files.map(({ hex }) => `sha256:${hex}`) },
    history: layers.map(({ title }) => ({ created, created_by: title })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: descriptor(types.config, config),
    layers: packed.map((layer) => descriptor(types.layer, layer)),
    annotations,
  });
  return { architecture, config, layers: packed, manifest };
}

/** Sorts members, and puts the folders that they lie in before them. */
function withFolders(members: readonly Member[]): Member[] {
  const all = new Map<string, Member>();
  for (const { path } of members) {
    for (let at = dirname(path); at !== '.'; at = dirname(at)) all.set(at, { path: at });
  }
  for (const member of members) all.set(member.path, member);
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function annotationsOf(version: string, date: Date): Readonly<Record<string, string>> {
  return {
    'org.opencontainers.image.created': instant(date),
    'org.opencontainers.image.description': 'Packs, carries and installs Kubernetes Solutions without a network.',
    'org.opencontainers.image.licenses':
      'Apache-2.0 AND MIT AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1',
    'org.opencontainers.image.title': 'solpack',
    'org.opencontainers.image.version': version,
  };
}

function instant(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}
