import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { SolpackError } from './errors.ts';
import { lend } from './flow.ts';
import { codeOf } from './system-errors.ts';

/**
 * A folder that is held by its descriptor. What is done in it is done there, whoever moves it meanwhile, or puts a link in the
 * place of a folder on the way to it: the system is given one name at a time, below a descriptor.
 */
export interface HeldFolder extends AsyncDisposable {
  /** How messages name it. */
  readonly path: string;
  /**
   * The path by which a system call reaches `name` in it, for as long as it is held. What stands there may be a link, which
   * the call must not follow.
   */
  at(name: string): string;
  /** Opens a file in it, and never what a link leads to. */
  open(name: string, flags: number, mode?: number): Promise<fs.FileHandle>;
  /** Holds a folder in it, which is made where it is absent if `make` is set. A link is none: ENOTDIR. */
  enter(name: string, make?: boolean): Promise<HeldFolder>;
  /** Holds it once more, for somebody who lets go of it at another time. */
  again(): Promise<HeldFolder>;
  /** The names of all that is in it. */
  names(): Promise<string[]>;
  stat(): Promise<Stats>;
  /** Where it is now, without a link on the way. */
  real(): Promise<string>;
  /** Makes names that were given or taken in it durable, where the system allows folders to be synced. */
  sync(): Promise<void>;
  /** Removes what has this name, with all that is in it, and follows no link; nothing where it is absent. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** O_PATH of Linux, which Node.js does not name: holds a folder that one need not be allowed to read. */
const O_PATH = 0o10000000;

/** How a folder, and no link to one, is opened to be held. */
const HOLD = (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | O_PATH;

/** Links that a path may have, as in Linux. */
const LINKS = 40;

/** The user that this process acts as; undefined where the system does not number them. */
export function ownUser(): number | undefined {
  return process.geteuid?.();
}

/** Whether a user is this one, or may do all anyway: root, or who has the top folder where other numbers stand for users. */
function isTrusted(uid: number): boolean {
  return uid === ownUser() || uid === 0 || uid === statSync('/').uid;
}

/** Whether somebody else may have names in a folder stand for something else: neither root nor its group. */
export function mayOthersChange({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  if (ownUser() === undefined) return false;
  const sticky = (mode & 0o1000) !== 0;
  const others = gid === 0 ? 0o002 : 0o022;
  return !isTrusted(uid) || ((mode & others) !== 0 && !sticky);
}

let descriptors: boolean | undefined;

/** Whether paths lead to what descriptors of this process stand for, as they do on Linux where /proc is mounted. */
function hasDescriptors(): boolean {
  descriptors ??= process.platform === 'linux' && findDescriptors();
  return descriptors;
}

function findDescriptors(): boolean {
  const top = openSync('/', HOLD);
  try {
    const [here, there] = [fstatSync(top), statSync(`${pathOf(top)}/.`)];
    return here.dev === there.dev && here.ino === there.ino;
  } catch {
    return false;
  } finally {
    closeSync(top);
  }
}

function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** The path by which any thread reaches the file that is open here, whatever its name stands for; `path` where there is none. */
export function pathTo(handle: fs.FileHandle, path: string): string {
  return hasDescriptors() ? pathOf(handle.fd) : path;
}

/**
 * Holds the folder at an absolute path, as that leads to it now. With `make` it is made where it is absent, with what leads to
 * it. A link on the way that somebody else may have put there, neither this user nor root, is followed to a folder of theirs
 * alone: `path-escapes`. Where the system cannot hold folders, root is refused one that others may change:
 * `output-unwritable`. Else throws the error of the system.
 */
export async function holdFolder(path: string, make = false): Promise<HeldFolder> {
  if (hasDescriptors()) return heldByDescriptor(await walk(path, make), path);
  await requireOwnPlace(path);
  if (make) await fs.mkdir(path, { recursive: true });
  if (!(await fs.stat(path)).isDirectory()) throw failed('ENOTDIR');
  return heldByPath(path);
}

/** Throws `output-unwritable` where this is root, and others may have the path, or what is there of it, lead elsewhere. */
export async function requireOwnPlace(path: string): Promise<void> {
  if (ownUser() !== 0) return;
  for (let here = await realPart(path); ; here = dirname(here)) {
    requireOwnNames(here, await fs.stat(here));
    if (here === dirname(here)) return;
  }
}

/** Throws `output-unwritable` where this is root, and others may have names in the folder `path` stand for something else. */
export function requireOwnNames(path: string, stats: Stats): void {
  if (ownUser() !== 0 || !mayOthersChange(stats)) return;
  throw new SolpackError(
    'output-unwritable',
    path,
    'others may change what is in this folder while root relies on it',
    {
      hint: 'name a folder that nobody else may write, or run as its owner',
    },
  );
}

async function realPart(path: string): Promise<string> {
  return fs.realpath(path).catch((error) => {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return realPart(dirname(path));
    throw error;
  });
}

/** A folder that whoever made a link on the way has to have. */
interface Led {
  /** The path that is gone. */
  readonly path: string;
  readonly maker: number;
}

/** Goes a path name by name, and returns the folder that it leads to, opened. */
async function walk(path: string, make: boolean): Promise<fs.FileHandle> {
  let here = await fs.open('/', HOLD);
  let links = 0;
  const way: (string | Led)[] = namesOf(path);
  try {
    for (let part = way.shift(); part !== undefined; part = way.shift()) {
      if (typeof part !== 'string') {
        await requireMaker(here, part);
        continue;
      }
      const led = way.find((one) => typeof one !== 'string');
      const next = await goOn(here, part, make && !led);
      if ('fd' in next) {
        await here.close();
        here = next;
        continue;
      }
      links += 1;
      if (links > LINKS) throw failed('ELOOP');
      if (next.maker !== undefined) way.unshift({ path, maker: next.maker });
      way.unshift(...namesOf(next.target));
      if (isAbsolute(next.target)) {
        await here.close();
        here = await fs.open('/', HOLD);
      }
    }
    return here;
  } catch (error) {
    await here.close();
    throw error;
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Where a link leads, and who has made it, if that is neither this user nor root. */
interface Link {
  readonly target: string;
  readonly maker: number | undefined;
}

async function goOn(here: fs.FileHandle, name: string, make: boolean): Promise<fs.FileHandle | Link> {
  const path = `${pathOf(here.fd)}/${name}`;
  try {
    return await enter(path, make);
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    const target = await fs.readlink(path).catch(() => {
      throw error;
    });
    const [folder, link] = [await here.stat(), await fs.lstat(path)];
    // Who has a folder may have moved any link there.
    const maker = isTrusted(folder.uid) ? link.uid : folder.uid;
    return { target, maker: isTrusted(maker) ? undefined : maker };
  }
}

/** Opens a folder to hold it; one that is made is not taken back by a power cut. */
async function enter(path: string, make: boolean): Promise<fs.FileHandle> {
  try {
    return await fs.open(path, HOLD);
  } catch (error) {
    if (!make || codeOf(error) !== 'ENOENT') throw error;
    await fs.mkdir(path, 0o775).catch(unlessThere);
    await syncFolder(dirname(path));
    return fs.open(path, HOLD);
  }
}

async function requireMaker(here: fs.FileHandle, { path, maker }: Led): Promise<void> {
  const { uid } = await here.stat();
  if (uid === maker) return;
  throw new SolpackError(
    'path-escapes',
    path,
    `a link that user ${maker} may have made leads to a folder of user ${uid}`,
    {
      hint: 'name the folder itself',
    },
  );
}

function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function heldByDescriptor(handle: fs.FileHandle, path: string): HeldFolder {
  const base = pathOf(handle.fd);
  return held(path, base, {
    enter: async (name, make) => heldByDescriptor(await enter(`${base}/${name}`, make), join(path, name)),
    again: async () => heldByDescriptor(await fs.open(`${base}/.`, HOLD), path),
    stat: () => handle.stat(),
    close: () => handle.close(),
  });
}

function heldByPath(path: string): HeldFolder {
  return held(path, path, {
    enter: async (name, make) => {
      const full = join(path, name);
      if (make) await fs.mkdir(full).catch(unlessThere);
      const stats = await fs.lstat(full);
      if (!stats.isDirectory()) throw failed('ENOTDIR');
      await requireOwnPlace(full);
      return heldByPath(full);
    },
    again: async () => heldByPath(path),
    stat: () => fs.stat(path),
    close: async () => undefined,
  });
}

/** What differs between folders that the system holds and others. */
interface Hold {
  enter(name: string, make: boolean): Promise<HeldFolder>;
  again(): Promise<HeldFolder>;
  stat(): Promise<Stats>;
  close(): Promise<void>;
}

function held(path: string, base: string, hold: Hold): HeldFolder {
  const folder: HeldFolder = {
    path,
    at: (name) => `${base}${sep}${nameOnly(name)}`,
    open: (name, flags, mode) => fs.open(folder.at(name), flags | (constants.O_NOFOLLOW ?? 0), mode),
    enter: (name, make = false) => hold.enter(nameOnly(name), make),
    again: hold.again,
    names: () => fs.readdir(base),
    stat: hold.stat,
    real: () => fs.realpath(base),
    sync: () => syncFolder(base),
    remove: async (name) => {
      const error = await fs.unlink(folder.at(name)).catch((failure: unknown) => failure);
      if (error === undefined || codeOf(error) === 'ENOENT') return;
      const inner = await folder.enter(name).catch(() => {
        throw error;
      });
      await lend(inner, async () => {
        for (const each of await inner.names()) await inner.remove(each);
      });
      await fs.rmdir(folder.at(name));
    },
    close: hold.close,
    [Symbol.asyncDispose]: hold.close,
  };
  return folder;
}

function nameOnly(name: string): string {
  if (name === '' || name === '.' || name === '..' || basename(name) !== name) throw new Error(`${name} is no name`);
  return name;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await fs.open(path, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
