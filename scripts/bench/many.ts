import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFolder } from '../home.ts';
import { type Described, definitionOf, writeManifest } from './solution.ts';

/** Bytes of each layer. */
const SIZE = 1024;

/**
 * Writes a Solution of so many images into `folder`, unless it exists; all of them together have so many layers, each
 * its own.
 */
export async function makeMany(folder: string, images: number, blobs: number): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    const layout = join(fresh, 'images');
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    const names = Array.from({ length: images }, (_, number) => `registry.example.com/many/app-${number}:1.0.0`);
    const manifests = names.map((name, number) => {
      const count = Math.floor(blobs / images) + (number < blobs % images ? 1 : 0);
      const layers = Array.from({ length: count }, (__, at) => writeBlob(layout, `${number} ${at}`));
      return { ...writeManifest(layout, layers), annotations: { 'org.opencontainers.image.ref.name': name } };
    });
    writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
    writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    writeFileSync(join(fresh, 'solution.toml'), definitionOf('many', names));
  });
}

/** Writes a layer whose bytes nobody looks into. */
function writeBlob(layout: string, seed: string): Described {
  const bytes = createHash('shake256', { outputLength: SIZE }).update(seed).digest();
  const hex = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(layout, 'blobs/sha256', hex), bytes);
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: `sha256:${hex}`, size: SIZE };
}
