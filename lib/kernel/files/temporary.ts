import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, lend, unwritable } from '../events/index.ts';
import { hasEnded, isRun, ownRun } from '../machine/index.ts';
import { type HeldFolder, holdFolder, ownUser, requireOwnPlace } from './held-folder.ts';

/** A folder that is removed when it is released. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

const pattern = /^solpack-([0-9a-f-]+)-[A-Za-z0-9]{6}$/;

/**
 * Makes an empty folder for this run alone, and removes those of killed runs of this user. Throws `output-unwritable`,
 * also where this is root and others may replace the folder, or `disk-full`.
 */
export async function temporaryFolder({ temp }: Host): Promise<TemporaryFolder> {
  try {
    await requireOwnPlace(temp);
    // What cannot be removed now does no harm; the next run tries again.
    await lend(await holdFolder(temp), async (folder) => {
      await Promise.allSettled((await folder.names()).filter(isLeft).map((name) => removeLeft(folder, name)));
    });
    const path = await fs.mkdtemp(join(temp, `solpack-${ownRun()}-`));
    return { path, [Symbol.asyncDispose]: () => fs.rm(path, { recursive: true, force: true }) };
  } catch (error) {
    throw unwritable(temp, error);
  }
}

function isLeft(name: string): boolean {
  const run = pattern.exec(name)?.[1];
  return run !== undefined && isRun(run) && hasEnded(run);
}

async function removeLeft(above: HeldFolder, name: string): Promise<void> {
  await lend(await above.enter(name), async (folder) => {
    // Others may write here too: neither their folders are removed, nor what they put in the place of a folder
    // meanwhile.
    if ((await folder.stat()).uid !== ownUser()) return;
    for (const each of await folder.names()) await fs.rm(folder.at(each), { recursive: true, force: true });
    await fs.rmdir(above.at(name));
  });
}
