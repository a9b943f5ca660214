import { createCipheriv, createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Header } from 'tar/header';
import { replaceFolder } from '../home.ts';

/** The Solution that is packed: images with equally large layers, and many small files. */
export const shape = { images: 8, layersPerImage: 5, files: 2000, fileBytes: 4096 } as const;

const layers = shape.images * shape.layersPerImage;
const epoch = new Date('2026-01-01T00:00:00Z');

/** Content of a layout, as a manifest names it. */
export interface Described {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** The references of the Solution's images. */
export const references: readonly string[] = Array.from(
  { length: shape.images },
  (_, number) => `registry.example.com/bench/image-${number}:1.0.0`,
);

/**
 * Writes a Solution with about `size` bytes of layers into `folder`, unless it exists; the same bytes each time. Its
 * small files are `dashboards`, which are carried as they are, or `manifests`, each of which is rendered.
 */
export async function makeSolution(
  folder: string,
  size: number,
  small: 'dashboards' | 'manifests' = 'dashboards',
): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    mkdirSync(join(fresh, 'images/blobs/sha256'), { recursive: true });
    const layerSize = Math.max(4096, Math.floor(size / layers / 512) * 512);
    const entries: object[] = [];
    for (const [number, reference] of references.entries()) {
      const first = number * shape.layersPerImage;
      entries.push({
        ...(await writeImage(join(fresh, 'images'), first, layerSize)),
        annotations: { 'org.opencontainers.image.ref.name': reference },
      });
    }
    const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: entries };
    writeFileSync(join(fresh, 'images/index.json'), JSON.stringify(index));
    writeFileSync(join(fresh, 'images/oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    if (small === 'manifests') writeManifests(fresh);
    else writeDashboards(fresh);
    const component = small === 'manifests' ? manifestsComponent : dashboardsComponent;
    writeFileSync(join(fresh, 'solution.toml'), `${definitionOf('bench', references)}\n${component}`);
  });
}

/** Writes a Solution of nothing but manifests into `folder`, unless it exists. */
export async function makeManifests(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    writeManifests(fresh);
    writeFileSync(join(fresh, 'solution.toml'), `${definitionOf('manifests', [])}\n${manifestsComponent}`);
  });
}

function writeDashboards(folder: string): void {
  mkdirSync(join(folder, 'dashboards'));
  for (const number of Array(shape.files).keys()) {
    const name = `dashboard-${String(number).padStart(4, '0')}.json`;
    writeFileSync(join(folder, 'dashboards', name), dashboard(name));
  }
  writeFileSync(join(folder, 'dashboards/kustomization.yaml'), 'configMapGenerator: []\n');
}

function writeManifests(folder: string): void {
  mkdirSync(join(folder, 'manifests'));
  for (const number of Array(shape.files).keys()) {
    const name = `dashboard-${String(number).padStart(4, '0')}`;
    const head = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  dashboard: "`;
    const text = `${head}${'x'.repeat(shape.fileBytes - head.length - 2)}"\n`;
    writeFileSync(join(folder, 'manifests', `${name}.yaml`), text);
  }
}

async function writeImage(layout: string, first: number, layerSize: number): Promise<Described> {
  const own: Described[] = [];
  for (let number = first; number < first + shape.layersPerImage; number += 1) {
    own.push(await writeLayer(layout, number, layerSize));
  }
  return writeManifest(layout, own);
}

/** Writes the config and the manifest of an image with these layers into a layout. */
export function writeManifest(layout: string, layers: readonly Described[]): Described {
  const config = {
    created: epoch.toISOString(),
    architecture: 'amd64',
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
  };
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  return writeJson(layout, mediaType, {
    schemaVersion: 2,
    mediaType,
    config: writeJson(layout, 'application/vnd.oci.image.config.v1+json', config),
    layers,
  });
}

function writeJson(layout: string, mediaType: string, value: unknown): Described {
  const bytes = Buffer.from(JSON.stringify(value));
  const hex = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(layout, 'blobs/sha256', hex), bytes);
  return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
}

/** Streams a layer, which is a tar file with one incompressible file, and returns its descriptor. */
export async function writeLayer(layout: string, number: number, size: number): Promise<Described> {
  const file = join(layout, 'layer.partial');
  const target = createWriteStream(file);
  const hash = createHash('sha256');
  for (const chunk of layer(number, size)) {
    hash.update(chunk);
    if (!target.write(chunk)) await once(target, 'drain');
  }
  target.end();
  await finished(target);
  const hex = hash.digest('hex');
  renameSync(file, join(layout, 'blobs/sha256', hex));
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: `sha256:${hex}`, size };
}

function* layer(number: number, size: number): Generator<Uint8Array> {
  const content = size - 3 * 512;
  const header = Buffer.alloc(512);
  new Header({
    path: `data/${number}.bin`,
    type: 'File',
    mode: 0o644,
    size: content,
    uid: 0,
    gid: 0,
    mtime: epoch,
  }).encode(header);
  yield header;
  const key = createHash('sha256').update(`solpack bench ${number}`).digest();
  const random = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  for (let left = content; left > 0; left -= 1 << 20) yield random.update(Buffer.alloc(Math.min(left, 1 << 20)));
  yield Buffer.alloc(2 * 512);
}

/** Returns a file of `fileBytes` bytes, such as a dashboard or a rule: it is carried, but not parsed. */
function dashboard(name: string): string {
  const text = JSON.stringify({ title: name, panels: Array.from({ length: 40 }, (_, at) => `panel ${at} of ${name}`) });
  return `${text.slice(0, shape.fileBytes - 1).padEnd(shape.fileBytes - 1)}\n`;
}

/** Returns a definition with images of a layout in the folder `images` beside it. */
export function definitionOf(name: string, names: readonly string[]): string {
  const images = names.map(
    (reference) => `\n[[images]]\nreference = "${reference}"\nsource = "oci:images:${reference}"\n`,
  );
  return `name = "${name}"\nversion = "1.0.0"\n${images.join('')}`;
}

const dashboardsComponent = '[[components]]\nname = "dashboards"\nkind = "kustomize"\npath = "dashboards"\n';
const manifestsComponent = '[[components]]\nname = "manifests"\nkind = "manifests"\npath = "manifests"\n';
