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

/** Bytes of one layer: as much as a tar header can state in octal, by far. */
const LAYER = 2 * 1024 ** 3;

const reference = 'registry.example.com/bench/sparse:1.0.0';

/** Writes a Solution whose layers have `size` bytes, nearly all of them holes, unless it is there. */
export async function makeSparse(folder: string, size: number): Promise<void> {
  if (existsSync(folder)) return;
  await replaceFolder(folder, async (fresh) => {
    const images = join(fresh, 'images');
    mkdirSync(join(images, 'blobs/sha256'), { recursive: true });
    const layers = Array.from({ length: Math.max(1, Math.round(size / LAYER)) }, (_, number) =>
      writeLayer(images, number),
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

/** A layer of one file of zeros. */
function writeLayer(layout: string, number: number): Described {
  const header = Buffer.alloc(512);
  new Header({ path: `zeros-${number}`, type: 'File', mode: 0o644, size: LAYER - 3 * 512, mtime: new Date(0) }).encode(
    header,
  );
  const path = join(layout, 'layer.partial');
  const file = openSync(path, 'w');
  writeSync(file, header);
  closeSync(file);
  truncateSync(path, LAYER);
  const hash = createHash('sha256').update(header);
  const zeros = Buffer.alloc(1024 ** 2);
  for (let left = LAYER - header.length; left > 0; left -= zeros.length)
    hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
  const hex = hash.digest('hex');
  renameSync(path, join(layout, 'blobs/sha256', hex));
  return { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: `sha256:${hex}`, size: LAYER };
}
