import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFolder } from '../home.ts';
import { definitionOf, writeLayer, writeManifest } from './solution.ts';

/** The images that are loaded: each shares half of its layers with all others. */
const shape = { images: 20, layersPerImage: 4 } as const;

/** Returns how large images are, in bytes, that have `size` MiB in all, each layer counted once. */
export function imageSize(size: number): number {
  const layers = (shape.images + 1) * (shape.layersPerImage / 2);
  return Math.floor((size * 1024 * 1024) / layers) * shape.layersPerImage;
}

/** An image: its name in the definition, and a layout that holds it alone, with the tag 1.0.0. */
export interface SharedImage {
  readonly name: string;
  readonly reference: string;
  readonly layout: string;
}

/** Returns the images of a Solution that `makeShared` wrote into `folder`. */
export function sharedImages(folder: string): SharedImage[] {
  return Array.from({ length: shape.images }, (_, number) => ({
    name: `bench/shared-${number}`,
    reference: `registry.example.com/bench/shared-${number}:1.0.0`,
    layout: join(folder, 'single', `${number}`),
  }));
}

/** Writes a Solution of images of about `size` bytes each into `folder`, unless it exists. */
export async function makeShared(folder: string, size: number): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    const layout = join(fresh, 'images');
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    const layerSize = Math.max(4096, Math.floor(size / shape.layersPerImage / 512) * 512);
    const half = shape.layersPerImage / 2;
    // Numbers that the other Solution does not use, so that no layer is the same.
    const layer = (number: number): ReturnType<typeof writeLayer> => writeLayer(layout, 1000 + number, layerSize);
    const common = await inTurn(half, layer);
    const images = sharedImages(fresh);
    const entries: object[] = [];
    for (const [number, { reference, layout: single }] of images.entries()) {
      const own = await inTurn(half, (at) => layer(half * (number + 1) + at));
      const manifest = writeManifest(layout, [...common, ...own]);
      entries.push(named(manifest, reference));
      mkdirSync(single, { recursive: true });
      symlinkSync('../../images/blobs', join(single, 'blobs'));
      writeIndex(single, [named(manifest, '1.0.0')]);
    }
    writeIndex(layout, entries);
    const references = images.map(({ reference }) => reference);
    writeFileSync(join(fresh, 'solution.toml'), definitionOf('shared', references));
  });
}

async function inTurn<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let number = 0; number < count; number += 1) made.push(await make(number));
  return made;
}

function named(manifest: object, name: string): object {
  return { ...manifest, annotations: { 'org.opencontainers.image.ref.name': name } };
}

function writeIndex(layout: string, manifests: readonly object[]): void {
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}
