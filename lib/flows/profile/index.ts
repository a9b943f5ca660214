import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { utf8 } from '../../../formats/bytes.ts';
import { PROFILE_HEAD, setInProfile, unsetInProfile } from '../../../formats/profile/edit.ts';
import type { ProfileKey } from '../../../formats/profile/fields.ts';
import { type ProfileValue, parseProfile } from '../../../formats/profile/profile.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { codeOf, type Flow, refused, SolpackError, unreadable, unwritable } from '../../kernel/events/index.ts';
import { isTrustedUser, keepSchema, mayOthersChange, ownUser, writeFile } from '../../kernel/files/index.ts';

/** The settings of a machine that replace flags. */
export interface Profile {
  /** The file, absolute. */
  readonly path: string;
  /** In the order in which they are listed. */
  readonly settings: ReadonlyMap<ProfileKey, ProfileValue>;
}

/** Most bytes of a profile. */
const LIMIT = 1024 * 1024;

const HINT = '"solpack profile" lists the settings; "solpack docs setup" describes each';

/**
 * Reads the profile in a file; undefined where there is none. It decides what is installed from where, and on whose
 * word: so nobody but root and this user may write to it, or to a folder on its path. Throws `profile-unsafe`,
 * `profile-invalid`, `file-unreadable`.
 */
export async function readProfile(path: string): Promise<Profile | undefined> {
  const bytes = await readSafely(path);
  if (bytes === undefined) return undefined;
  return { path, settings: await refused('profile-invalid', path, () => parseProfile(bytes), HINT) };
}

/**
 * Sets a setting in a profile, which is made where there is none, with a line that names its schema for editors; all
 * else stays as it is. `word` is as a user types it. Returns whether that changed something. Throws as `readProfile`,
 * `output-unwritable`, `disk-full`.
 */
export async function setProfile(path: string, key: ProfileKey, word: string, flow: Flow): Promise<boolean> {
  return changeProfile(path, (before) => setInProfile(before, key, word), flow);
}

/** Takes a setting out of a profile; all else stays as it is. Returns whether it was there. Throws as `setProfile`. */
export async function unsetProfile(path: string, key: ProfileKey, flow: Flow): Promise<boolean> {
  return changeProfile(path, (before) => unsetInProfile(before, key), flow);
}

async function changeProfile(path: string, edit: (before: Uint8Array) => Uint8Array, flow: Flow): Promise<boolean> {
  const before = await readSafely(path);
  const start = before ?? utf8(PROFILE_HEAD);
  const after = await refused('profile-invalid', path, () => edit(start), HINT);
  if (Buffer.compare(start, after) === 0) return false;
  try {
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o755 });
  } catch (error) {
    throw unwritable(path, error);
  }
  await writeFile(path, after);
  await keepSchema(path, after, flow);
  return true;
}

async function readSafely(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw unsafe(path, path, 'is not a file', 'name a file, or give --no-profile');
      if (stats.size > LIMIT) {
        const why = `has more than ${sizeWords(LIMIT)}, so it is no profile`;
        throw unsafe(path, path, why, 'name another file, or give --no-profile');
      }
      requireOwn(path, path, stats);
      await requireOwnWay(path);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

function requireOwn(path: string, what: string, { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): void {
  if (ownUser() === undefined) return;
  if (!isTrustedUser(uid)) throw unsafe(path, what, `belongs to user ${uid}`);
  if ((mode & (gid === 0 ? 0o002 : 0o022)) !== 0) throw unsafe(path, what, 'may be written by others');
}

/**
 * Makes sure that nobody else may put another file in the place of this one: by no folder, and by no link on its way.
 */
async function requireOwnWay(path: string): Promise<void> {
  const names = [path, await fs.realpath(path)];
  const seen = new Set<string>();
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const stats = await fs.lstat(name);
    // Each link is one more way, whose folders count as well; the system follows no circle of them.
    if (stats.isSymbolicLink()) {
      if (ownUser() !== undefined && !isTrustedUser(stats.uid)) throw unsafe(path, name, 'is a link of somebody else');
      names.push(resolve(await fs.realpath(dirname(name)), await fs.readlink(name)));
    } else if (name !== path && stats.isDirectory() && mayOthersChange(stats)) {
      throw unsafe(path, name, 'may be changed by others');
    }
    if (name !== dirname(name)) names.push(dirname(name));
  }
}

const OWNER =
  'make root or yourself its owner, and let nobody else write to it or to its folders; or give --no-profile';

function unsafe(path: string, what: string, why: string, hint: string = OWNER): SolpackError {
  return new SolpackError('profile-unsafe', path, what === path ? why : `${what} ${why}`, { hint });
}
