import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Blob, blob, type Image, json, layoutEntry, type MultiImage } from './image.ts';
import { type Member, tar } from './tar.ts';

/** The time of entries that an archive adds to its content. */
const epoch = new Date('2026-01-01T00:00:00Z');

/** Writes an OCI image layout that holds `images` into the folder `target` (OCI image-spec "Image Layout"). */
export function writeLayout(target: string, images: readonly MultiImage[]): void {
  for (const { path, bytes } of layoutMembers(images)) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    if (bytes) writeFileSync(file, bytes);
  }
}

/** Writes the tar file of an OCI image layout, as containers-transports(5) has it for `oci-archive:`. */
export function writeOciArchive(target: string, image: MultiImage): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, tar(layoutMembers([image]), epoch));
}

/**
 * Writes an archive as `docker save` does (Docker Image Specification v1.2 "Combined Image JSON + Filesystem Changeset
 * Format"): one folder for each layer, then the configuration, `manifest.json` and `repositories`.
 */
export function writeDockerArchive(target: string, reference: string, { config, layers }: Image): void {
  const members: Member[] = [];
  const ids: string[] = [];
  for (const layer of layers) {
    const parent = ids.at(-1);
    const id = blob(Buffer.from(`${parent ?? ''} ${layer.hex}`)).hex;
    ids.push(id);
    members.push({ path: id });
    members.push({ path: `${id}/VERSION`, bytes: Buffer.from('1.0') });
    members.push({ path: `${id}/json`, bytes: json({ id, ...(parent && { parent }), os: 'linux' }).bytes });
    members.push({ path: `${id}/layer.tar`, bytes: layer.bytes });
  }
  const colon = reference.lastIndexOf(':');
  const repositories = { [reference.slice(0, colon)]: { [reference.slice(colon + 1)]: ids.at(-1) } };
  const entry = { Config: `${config.hex}.json`, RepoTags: [reference], Layers: ids.map((id) => `${id}/layer.tar`) };
  members.push({ path: `${config.hex}.json`, bytes: config.bytes });
  members.push({ path: 'manifest.json', bytes: json([entry]).bytes });
  members.push({ path: 'repositories', bytes: json(repositories).bytes });
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, tar(members, epoch));
}

function layoutMembers(images: readonly MultiImage[]): Member[] {
  const blobs = new Map<string, Blob>();
  for (const { index, images: platforms } of images) {
    blobs.set(index.hex, index);
    for (const { manifest, config, layers } of platforms) {
      for (const content of [manifest, config, ...layers]) blobs.set(content.hex, content);
    }
  }
  return [
    { path: 'blobs' },
    { path: 'blobs/sha256' },
    ...[...blobs.values()]
      .sort((a, b) => (a.hex < b.hex ? -1 : 1))
      .map(({ hex, bytes }) => ({ path: `blobs/sha256/${hex}`, bytes })),
    { path: 'index.json', bytes: json(layoutIndex(images)).bytes },
    { path: 'oci-layout', bytes: json({ imageLayoutVersion: '1.0.0' }).bytes },
  ];
}

function layoutIndex(images: readonly MultiImage[]): object {
  return {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: images.map(layoutEntry),
  };
}
