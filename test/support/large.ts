import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { join } from 'node:path';
import { writeFiles } from './cli.ts';
import { buildImage, type TestImage, writeLayout } from './image.ts';
import { noise } from './registry.ts';

const REFERENCE = 'registry.example.com/load/web:1';

/** Writes the Solution `load` into `folder`: one image, `load/web:1`, with a layer of a little more than `size` bytes. */
export async function largeSolution(folder: string, size: number): Promise<TestImage> {
  const image = buildImage({ files: { 'etc/large': Buffer.from(noise('load', size)).toString('latin1') } });
  await writeLayout(join(folder, 'images'), [{ name: REFERENCE, image }]);
  const entry = `[[images]]\nreference = "${REFERENCE}"\nsource = "oci:images:${REFERENCE}"\n`;
  writeFiles(folder, { 'solution.toml': `name = "load"\nversion = "1.0.0"\n${entry}` });
  return image;
}

/** The SHA-256 of what is at a URL. */
export function hashed(url: string): Promise<string> {
  return new Promise((settle, reject) => {
    get(url, (message) => {
      const hash = createHash('sha256');
      message.on('data', (chunk) => hash.update(chunk));
      message.on('end', () => settle(`sha256:${hash.digest('hex')}`));
      message.on('error', reject);
    }).on('error', reject);
  });
}
