import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../home.ts';

/** Where the images of other writers are kept, compressed. */
export const corpusFolder: string = join(root, 'fixtures/corpus');

/** Returns the images of other writers, sorted by name. */
export function foreignImages(): [name: string, bytes: Buffer][] {
  return readdirSync(corpusFolder)
    .sort()
    .map((name) => [name.replace(/\.iso\.gz$/, ''), gunzipSync(readFileSync(join(corpusFolder, name)))]);
}
