import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, unwritable } from './host.ts';
import { hasEnded, ownRun, RUN } from './runs.ts';

/** A folder that is gone once it is released. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

const pattern = new RegExp(`^solpack-(${RUN})-[A-Za-z0-9]{6}$`);

/**
 * Makes an empty folder for this run alone, and removes those that runs of this user left that were killed. Throws
 * `output-unwritable` or `disk-full`.
 */
export async function temporaryFolder({ temp }: Host): Promise<TemporaryFolder> {
  try {
    // What cannot be removed is in nobody's way; whoever comes next tries again.
    await Promise.allSettled((await fs.readdir(temp)).filter(isLeft).map((name) => removeLeft(join(temp, name))));
    const path = await fs.mkdtemp(join(temp, `solpack-${ownRun()}-`));
    return { path, [Symbol.asyncDispose]: () => fs.rm(path, { recursive: true, force: true }) };
  } catch (error) {
    throw unwritable(temp, error);
  }
}

function isLeft(name: string): boolean {
  const run = pattern.exec(name)?.[1];
  return run !== undefined && hasEnded(run);
}

async function removeLeft(path: string): Promise<void> {
  const stats = await fs.lstat(path);
  // Others may write here: into a folder of theirs they could put a way out of it while it is being removed.
  if (stats.isDirectory() && stats.uid === process.getuid?.()) await fs.rm(path, { recursive: true, force: true });
}
