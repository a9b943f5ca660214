import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkStream } from 'ssri';
import { extract } from 'tar';
import { cache, words } from './home.ts';
import pins from './pins.json' with { type: 'json' };

/** A package of npm, with its version and the SHA-512 of its archive. */
export interface Pin {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** A package whose version and content `pins.json` fixes. */
export type PinnedPackage = keyof typeof pins;

const run = promisify(execFile);
const folder = join(cache, 'packages');

/**
 * Downloads the archive of a package, checks its pinned SHA-512, and returns its path. Throws where npm cannot download
 * it.
 */
export async function fetchPackage(wanted: PinnedPackage | Pin): Promise<string> {
  const { name, version, integrity } = typeof wanted === 'string' ? { name: wanted, ...pins[wanted] } : wanted;
  const path = join(folder, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`);
  if (existsSync(path)) {
    const intact = await checkStream(createReadStream(path), integrity).catch(() => undefined);
    if (intact) return path;
  }
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(join(folder, 'fetch-'));
  try {
    const { stdout } = await run('npm', ['pack', `${name}@${version}`, '--json', '--loglevel=error'], { cwd: fresh });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    const file = join(fresh, packed!.filename);
    await checkStream(createReadStream(file), integrity);
    await rename(file, path);
  } catch (cause) {
    throw new Error(`cannot fetch ${name}@${version} with npm: ${words(cause)}`, { cause });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return path;
}

/** Writes the file `path` of a package into `target`, under its own name, and returns its path. */
export async function fileOfPackage(wanted: PinnedPackage | Pin, path: string, target: string): Promise<string> {
  const depth = path.split('/').length;
  await extract({ file: await fetchPackage(wanted), cwd: target, strip: depth }, [`package/${path}`]);
  return join(target, path.slice(path.lastIndexOf('/') + 1));
}

/** Returns `name@version` of a pinned package with its integrity, on which builds that use it depend. */
export function pinOf(name: PinnedPackage): string {
  return `${name}@${pins[name].version} ${pins[name].integrity}`;
}
