import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileOfPackage } from '../npm-package.ts';
import type { Platform } from './platforms.ts';

const locked = createRequire(import.meta.url)('../runtime/package-lock.json');

/** The Node.js of a platform, taken out of its package. */
export interface Runtime {
  /** The program. */
  readonly program: string;
  /** The text of its licence, and of all that is in it. */
  readonly license: string;
  readonly version: string;
}

/**
 * Puts the Node.js of a platform into `folder`. Throws where npm cannot fetch it, or where it is not the locked one.
 */
export async function runtimeOf({ runtime }: Platform, folder: string): Promise<Runtime> {
  const { version, integrity } = locked.packages[`node_modules/${runtime}`];
  const pin = { name: runtime, version, integrity };
  return {
    program: await fileOfPackage(pin, 'bin/node', folder),
    license: await readFile(await fileOfPackage(pin, 'LICENSE', folder), 'utf8'),
    version,
  };
}
