import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tar } from '../images/tar.ts';
import { isStatic } from './elf.ts';
import { type Entry, layerTar } from './layer.ts';
import { type Content, type Descriptor, descriptor, encoded, sha256, types } from './oci.ts';
import { findProgram } from './programs.ts';
import { architecture } from './release.ts';

/** An image of busybox to make. */
export interface BusyboxRecipe {
  /** The name that Pods use. */
  readonly reference: string;
  /** The program that a container runs, with its arguments: `['/bin/httpd', '-f', '-p', '8080']`. */
  readonly command: readonly string[];
  /** Files by their path without a leading slash; folders are made. */
  readonly files?: Readonly<Record<string, string>>;
  /** Programs, and what they load, by their path. */
  readonly programs?: Readonly<Record<string, Uint8Array>>;
  /** `os/architecture[/variant]`; left out: this machine's. The program can only run on this machine's. */
  readonly platforms?: readonly string[];
  /** Makes images different that would otherwise be equal. */
  readonly seed?: string;
}

/** An image in memory. */
export interface BusyboxImage {
  readonly reference: string;
  /** The index over all platforms. */
  readonly index: Descriptor;
  /** The manifest of each platform, in the order of the recipe. */
  readonly manifests: readonly Descriptor[];
  /** Every manifest, config and layer, and the index. */
  readonly blobs: Map<Content, Uint8Array>;
}

/**
 * Makes an image that can run: busybox with all its applets in /bin, and the recipe's files. Throws where this
 * machine's busybox needs libraries, which the image does not have.
 */
export function busyboxImage({
  reference,
  command,
  files = {},
  programs = {},
  platforms,
  seed = '',
}: BusyboxRecipe): BusyboxImage {
  const blobs = new Map<Content, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const content = descriptor(mediaType, bytes);
    blobs.set(content.digest, bytes);
    return content;
  };
  const own = [
    ...Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
    ...Object.entries(programs).map(([path, bytes]) => ({ path, bytes, mode: 0o755 })),
  ];
  const layers = [base(), compressed([...own, { path: 'etc/seed', bytes: Buffer.from(`${seed}\n`) }])];
  const stored = layers.map(({ gzip }) => add(types.layer, gzip));
  const manifests = (platforms ?? [`linux/${architecture}`]).map((name): Descriptor => {
    const [os = '', cpu = '', variant] = name.split('/');
    const platform = { os, architecture: cpu, ...(variant === undefined ? {} : { variant }) };
    const config = {
      created: '1970-01-01T00:00:00Z',
      ...platform,
      config: { Cmd: command, Env: ['PATH=/bin'], WorkingDir: '/' },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: types.manifest,
      config: add(types.config, encoded(config)),
      layers: stored,
    };
    return { ...add(types.manifest, encoded(manifest)), platform };
  });
  const index = add(types.index, encoded({ schemaVersion: 2, mediaType: types.index, manifests }));
  return { reference, index, manifests, blobs };
}

/** Makes the tar file of an OCI image layout with such an image, for `ctr images import`. */
export function busyboxArchive(recipe: BusyboxRecipe): Uint8Array {
  const { index, blobs, reference } = busyboxImage(recipe);
  const named = {
    ...index,
    // containerd reads the first name; the second is that of the image layout.
    annotations: { 'io.containerd.image.name': reference, 'org.opencontainers.image.ref.name': reference },
  };
  const members = [
    { path: 'oci-layout', bytes: encoded({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', bytes: encoded({ schemaVersion: 2, manifests: [named] }) },
    ...[...blobs].map(([digest, bytes]) => ({ path: `blobs/${digest.replace(':', '/')}`, bytes })),
  ];
  return tar(members, new Date(0));
}

interface Layer {
  readonly gzip: Uint8Array;
  /** The digest of the uncompressed tar file (OCI image-spec "Layer DiffID"). */
  readonly diffId: Content;
}

let shared: Layer | undefined;

/** Makes the layer with busybox itself. */
function base(): Layer {
  shared ??= compressed(busyboxEntries());
  return shared;
}

function busyboxEntries(): Entry[] {
  const path = findProgram('busybox');
  if (path === undefined) throw new Error('no busybox is here; Debian has it in busybox-static');
  const bytes = readFileSync(path);
  if (!isStatic(bytes)) throw new Error(`${path} needs libraries, which images lack: install busybox-static instead`);
  const applets = execFileSync(path, ['--list'], { encoding: 'utf8' }).split('\n');
  return [
    { path: 'bin/busybox', bytes, mode: 0o755 },
    ...applets
      .filter((name) => name !== '' && name !== 'busybox')
      .map((name) => ({ path: `bin/${name}`, link: 'busybox' })),
    { path: 'etc/passwd', bytes: Buffer.from('root:x:0:0:root:/:/bin/sh\nnonroot:x:65532:65532:nonroot:/:/bin/sh\n') },
    { path: 'etc/group', bytes: Buffer.from('root:x:0:\nnonroot:x:65532:\n') },
    { path: 'tmp', mode: 0o1777 },
  ];
}

function compressed(entries: readonly Entry[]): Layer {
  const bytes = layerTar(entries);
  return { gzip: gzipSync(bytes), diffId: sha256(bytes) };
}
