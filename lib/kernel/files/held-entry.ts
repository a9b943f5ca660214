import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, SolpackError } from '../events/index.ts';
import { hasDescriptors, holdFolder, O_PATH } from './held-folder.ts';

/** A file or a folder that is held by its descriptor. */
export interface HeldEntry extends AsyncDisposable {
  /** The path by which a system call reaches it, as long as it is held. */
  readonly reached: string;
  /** Where it is at present, without links. */
  readonly real: string;
  /** Whether the kernel makes up what is in it: procfs and sysfs, wherever they are mounted. */
  readonly isOfKernel: boolean;
}

/** How many links a path may have, as in Linux. */
const LINKS = 40;

/** `f_type` of procfs and sysfs (linux/magic.h). */
const kernelKinds: readonly number[] = [0x9fa0, 0x62656572];

/**
 * Holds what is at an absolute path. `within` names the folder that this path has to stay in, and throws where there is
 * none; it is asked again for where each link leads. From that folder on, the system is given one name at a time, below
 * a descriptor, and follows no link. Throws what `within` throws, `file-unreadable` where the system cannot hold files,
 * and errors of the system.
 */
export async function holdEntry(path: string, within: (path: string) => string): Promise<HeldEntry> {
  for (let [at, links] = [path, 0]; links <= LINKS; links += 1) {
    const folder = within(at);
    requireDescriptors(path);
    const found = await descend(folder, at.slice(folder.length).split('/').filter(Boolean));
    if (typeof found !== 'string') return entryOf(found);
    at = found;
  }
  throw Object.assign(new Error('ELOOP'), { code: 'ELOOP' });
}

function requireDescriptors(path: string): void {
  if (hasDescriptors()) return;
  throw new SolpackError('file-unreadable', path, 'cannot be kept open while it is read', {
    hint: 'use Linux, with /proc mounted',
  });
}

/** What stays open, and the path that leads there. */
interface HeldPlace {
  readonly reached: string;
  close(): Promise<void>;
}

/**
 * Goes down from a folder name by name. Returns what is there, or the path that the first link on the way makes of the
 * whole one.
 */
async function descend(folder: string, names: readonly string[]): Promise<HeldPlace | string> {
  let here: HeldPlace = heldAs(await holdFolder(folder));
  try {
    for (const [index, name] of names.entries()) {
      const path = `${here.reached}/${name}`;
      const target = await fs.readlink(path).catch(unlessNoLink);
      if (target !== undefined) {
        await here.close();
        return resolve(folder, ...names.slice(0, index), target, ...names.slice(index + 1));
      }
      // Where a link has taken its place by now, that link itself is held, and leads nowhere.
      const next = await fs.open(path, O_PATH | (constants.O_NOFOLLOW ?? 0));
      await here.close();
      here = { reached: `/proc/self/fd/${next.fd}`, close: () => next.close() };
    }
    return here;
  } catch (error) {
    await here.close();
    throw error;
  }
}

function heldAs(folder: Awaited<ReturnType<typeof holdFolder>>): HeldPlace {
  return { reached: dirname(folder.at('name')), close: folder.close };
}

function unlessNoLink(error: unknown): undefined {
  if (codeOf(error) !== 'EINVAL') throw error;
}

async function entryOf({ reached, close }: HeldPlace): Promise<HeldEntry> {
  try {
    const [real, { type }] = [await fs.readlink(reached), await fs.statfs(reached)];
    return { reached, real, isOfKernel: kernelKinds.includes(type), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
