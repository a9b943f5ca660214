import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, cache } from '../home.ts';
import { fileOfPackage, type PinnedPackage } from '../npm-package.ts';
import { tell, type Way } from './shell.ts';

/** Installs a program that a package of npm has whole in one file, `path`, for the Node.js on PATH. */
export function npm(name: PinnedPackage, path: string): Way {
  return async () => {
    tell(`fetching ${name}`);
    const folder = await mkdtemp(join(cache, 'npm-'));
    try {
      const file = await fileOfPackage(name, path, folder);
      await chmod(file, 0o755);
      await rename(file, join(bin, name));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
