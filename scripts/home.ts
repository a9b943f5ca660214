import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The top of this checkout. */
export const root: string = dirname(import.meta.dirname);

/** The folder for downloads and builds; git ignores it. */
export const cache: string = join(root, '.cache');

/** Where `npm run build` puts solpack, with everything that it needs except Node.js. */
export const packageFolder: string = join(cache, 'package');

/** Where `npm run build:bin` puts the executables. */
export const executables: string = join(cache, 'executables');

/** Where `npm run build:deb` puts the Debian packages. */
export const debs: string = join(cache, 'debs');

/** Where `npm run build:image` puts the image. */
export const imageFolder: string = join(cache, 'image');

/** Where `npm run release` puts what is released. */
export const releaseFolder: string = join(cache, 'release');

/** The folder for programs that the scripts install; `scripts/run.mjs` puts it first on PATH. */
export const bin: string = join(cache, 'bin');

/** The root of a Debian with hardly a program, which `scripts/judges` makes for tests of a bare machine. */
export const bareRoot: string = join(cache, 'bare-root');

/** Describes an error. */
export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reads the arguments of the script `name`. Where they are wrong, says so in one line, and ends this process with 2.
 */
export function argumentsOf<T extends ParseArgsConfig>(name: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${name}: ${words(error)}`);
    process.exit(2);
  }
}

/**
 * Fills a new folder with `work`, and puts it in the place of `folder` when that succeeded, so that nobody sees it half
 * filled.
 */
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

/**
 * Returns the folder for what takes long to build. It is outside of the checkout, so that every clone on this machine
 * shares it (XDG Base Directory Specification 0.8).
 */
export function sharedCache(env: NodeJS.ProcessEnv = process.env): string {
  // The specification says that relative paths are ignored.
  const caches = env['XDG_CACHE_HOME']?.startsWith('/') ? env['XDG_CACHE_HOME'] : join(homedir(), '.cache');
  return join(caches, 'solpack');
}
