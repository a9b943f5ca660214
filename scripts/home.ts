import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The top of this checkout. */
export const root: string = dirname(import.meta.dirname);

/** What the scripts download and build; git ignores it. */
export const cache: string = join(root, '.cache');

/** Where `npm run build` puts solpack, with all that it needs but Node.js. */
export const packageFolder: string = join(cache, 'package');

/** Where programs that the scripts bring are kept; `scripts/run.mjs` puts it first on PATH. */
export const bin: string = join(cache, 'bin');

/** What went wrong, in words. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Fills a folder beside `folder` by `work` and puts it in its place when all went well, so that nobody sees half of it. */
export async function replaceFolder(folder: string, work: (fresh: string) => Promise<void>): Promise<void> {
  const fresh = `${folder}.${process.pid}.partial`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    await work(fresh);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
