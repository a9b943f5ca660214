import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Header } from 'tar/header';
import { replaceFolder } from '../home.ts';
import { type Described, definitionOf, writeManifest } from './solution.ts';

/** Bytes of the largest layer: far below the largest size that a tar header can state in octal. */
const LARGEST = 2 * 1024 ** 3;

/** Least number of layers: a single layer would be hashed by a single thread. */
const FEWEST = 4;

const reference = 'registry.example.com/bench/sparse:1.0.0';

/** Writes a Solution whose layers have `size` bytes, nearly all of them holes, unless it exists. */
export async function makeSparse(folder: string, size: number): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    const images = join(fresh, 'images');
    mkdirSync(join(images, 'blobs/sha256'), { recursive: true });
    const layerSize = Math.min(LARGEST, Math.floor(size / FEWEST / 512) * 512);
    const layers = Array.from({ length: Math.round(size / layerSize) }, (_, number) =>
      writeLayer(images, number, layerSize),
    );
    const entry = writeManifest(images, layers);
    const annotations = { 'org.opencontainers.image.ref.name': reference };
    writeFileSync(
      join(images, 'index.json'),
      JSON.stringify({ schemaVersion: 2, manifests: [{ ...entry, annotations }] }),
    );
    writeFileSync(join(images, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    writeFileSync(join(fresh, 'solution.toml'), definitionOf('sparse', [reference]));
  });
}

/** Writes a layer of `size` bytes: one file of zeros. */
function writeLayer(layout: string, number: number, size: number): Described {
  const header = Buffer.alloc(512);
  const path = `zeros-${number}`;
  new Header({ path, type: 'File', mode: 0o644, size: size - 3 * 512, mtime: new Date(0) }).encode(header);
  const partial = join(layout, 'layer.partial');
  const file = openSync(partial, 'w');
  writeSync(file, header);
  closeSync(file);
  truncateSync(partial, size);
  const hash = createHash('sha256').update(header);
  const zeros = Buffer.alloc(1024 ** 2);
  for (let left = size - header.length; left > 0; left -= zeros.length)
    hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
  const hex = hash.digest('hex');
  renameSync(partial, join(layout, 'blobs/sha256', hex));
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: `sha256:${hex}`, size };
}
