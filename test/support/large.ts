import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { join } from 'node:path';
import { writeFiles } from './cli.ts';
import { buildImage, type TestImage, writeLayout } from './image.ts';
import { noise } from './registry.ts';

const REFERENCE = 'registry.example.com/load/web:1';

/**
 * Writes the Solution `load` into `folder`: one image, `load/web:1`, with a layer of a little more than `size` bytes.
 */
export async function largeSolution(folder: string, size: number): Promise<TestImage> {
  const image = buildImage({ files: { 'etc/large': Buffer.from(noise('load', size)).toString('latin1') } });
  await writeLayout(join(folder, 'images'), [{ name: REFERENCE, image }]);
  const entry = `[[images]]\nreference = "${REFERENCE}"\nsource = "oci:images:${REFERENCE}"\n`;
  writeFiles(folder, { 'solution.toml': `name = "load"\nversion = "1.0.0"\n${entry}` });
  return image;
}

/**
 * The SHA-256 of what is at a URL. Where the connection was closed early it asks for the rest, as container runtimes
 * do: on a busy machine a client may stand still for so long that others get its turn.
 */
export async function hashed(url: string): Promise<string> {
  const hash = createHash('sha256');
  let at = 0;
  const onChunk = (chunk: Uint8Array): void => {
    hash.update(chunk);
    at += chunk.length;
  };
  for (let before = -1; before < at; ) {
    before = at;
    if (await readFrom(url, at, onChunk)) return `sha256:${hash.digest('hex')}`;
  }
  throw new Error(`${url} gave nothing from byte ${at} on`);
}

/** Reads from a byte on. Gives whether all of it came before the connection was closed early. */
function readFrom(url: string, at: number, onChunk: (chunk: Uint8Array) => void): Promise<boolean> {
  return new Promise((settle, reject) => {
    const asked = get(url, { headers: at === 0 ? {} : { range: `bytes=${at}-` } }, (message) => {
      if (message.statusCode !== (at === 0 ? 200 : 206)) reject(new Error(`${url} answered ${message.statusCode}`));
      message.on('data', onChunk);
      message.on('end', () => settle(true));
      message.on('error', () => settle(false));
    });
    asked.on('error', reject);
  });
}
