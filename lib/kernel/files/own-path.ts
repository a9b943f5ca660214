import * as fs from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, lend, SolpackError, unreadable } from '../events/index.ts';
import { holdFolder, isTrustedUser } from './held-folder.ts';

/** How many links may lead to a file, as in Linux. */
const LINKS = 40;

/**
 * The path that a path leads to by symbolic links, whether a file is there or not. A link of somebody else may only
 * lead to a file of theirs, so that nobody has the files of others changed. Throws `path-escapes`.
 */
export async function ownPath(path: string): Promise<string> {
  let here = path;
  const makers: number[] = [];
  try {
    for (let links = 0; links <= LINKS; links += 1) {
      const parent = await realParent(dirname(here));
      here = join(parent, basename(here));
      const target = await fs.readlink(here).catch((error: unknown) => {
        if (codeOf(error) === 'EINVAL' || codeOf(error) === 'ENOENT') return undefined;
        throw error;
      });
      if (target === undefined) {
        await requireMakers(path, here, makers);
        return here;
      }
      const { uid } = await fs.lstat(here);
      if (!isTrustedUser(uid)) makers.push(uid);
      here = resolve(parent, target);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  throw unreadable(path, Object.assign(new Error('ELOOP'), { code: 'ELOOP' }));
}

async function realParent(folder: string): Promise<string> {
  try {
    return await lend(await holdFolder(folder), (held) => held.real());
  } catch (error) {
    if (error instanceof SolpackError) throw error;
    return folder;
  }
}

async function requireMakers(path: string, file: string, makers: readonly number[]): Promise<void> {
  if (makers.length === 0) return;
  const owner = (await fs.stat(file).catch(() => fs.stat(dirname(file)))).uid;
  const maker = makers.find((one) => one !== owner);
  if (maker === undefined) return;
  throw new SolpackError('path-escapes', path, `a link of user ${maker} leads to a file of user ${owner}`, {
    hint: 'name the file itself',
  });
}
