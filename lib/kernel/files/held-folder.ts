import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { codeOf, lend, SolpackError } from '../events/index.ts';

/**
 * A folder that is held by its descriptor. Everything done in it is done there, even if somebody moves the folder, or
 * replaces one on the way to it by a link: the system is given one name at a time, below a descriptor.
 */
export interface HeldFolder extends AsyncDisposable {
  /** Path for messages. */
  readonly path: string;
  /**
   * Returns the path by which a system call reaches `name` in the folder, valid as long as that is held. There may be a
   * link at that name, which the call must not follow.
   */
  at(name: string): string;
  /** Opens a file in it, and follows no link. */
  open(name: string, flags: number, mode?: number): Promise<fs.FileHandle>;
  /** Holds a folder in it. With `make`, makes it where it is absent. A link fails with ENOTDIR. */
  enter(name: string, make?: boolean): Promise<HeldFolder>;
  /** Holds it a second time, for somebody who releases it at another time. */
  again(): Promise<HeldFolder>;
  /** Lists the names of everything in it. */
  names(): Promise<string[]>;
  stat(): Promise<Stats>;
  /** Returns its present path, without links. */
  real(): Promise<string>;
  /** Makes changes of names in it durable, where the system can sync folders. */
  sync(): Promise<void>;
  /** Removes `name` with everything in it, and follows no link. Does nothing where it is absent. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** O_PATH of Linux, which Node.js does not name: holds a folder that the user need not be allowed to read. */
export const O_PATH = 0o10000000;

/** Flags for opening a folder, and no link to one. */
const HOLD = (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | O_PATH;

/** How many links a path may have, as in Linux. */
const LINKS = 40;

/** Returns the user that this process acts as; undefined where the system has no numbers for users. */
export function ownUser(): number | undefined {
  return process.geteuid?.();
}

/**
 * Decides whether a user is this one, or is trusted anyway: root, or the owner of the top folder where user numbers are
 * mapped.
 */
export function isTrustedUser(uid: number): boolean {
  return uid === ownUser() || uid === 0 || uid === statSync('/').uid;
}

/** Decides whether somebody other than root and its group may change what the names in a folder stand for. */
export function mayOthersChange({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  if (ownUser() === undefined) return false;
  const sticky = (mode & 0o1000) !== 0;
  const others = gid === 0 ? 0o002 : 0o022;
  return !isTrustedUser(uid) || ((mode & others) !== 0 && !sticky);
}

let descriptors: boolean | undefined;

/** Decides whether paths can lead to descriptors of this process, as on Linux where /proc is mounted. */
export function hasDescriptors(): boolean {
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

/**
 * Returns a path by which any thread reaches the open file, whatever its name stands for by now; `path` where the
 * system has none.
 */
export function pathTo(handle: fs.FileHandle, path: string): string {
  return hasDescriptors() ? pathOf(handle.fd) : path;
}

/**
 * Holds the folder at an absolute path, where that leads now. With `make`, makes it and its parents where they are
 * absent. A link that somebody other than this user and root may have put there may only lead to a folder of its owner:
 * else throws `path-escapes`. Where the system cannot hold folders, root must not use a folder that others may change:
 * throws `output-unwritable`. Otherwise throws the error of the system.
 */
export async function holdFolder(path: string, make = false): Promise<HeldFolder> {
  if (hasDescriptors()) return heldByDescriptor(await walk(path, make), path);
  await requireOwnPlace(path);
  if (make) await fs.mkdir(path, { recursive: true });
  if (!(await fs.stat(path)).isDirectory()) throw failed('ENOTDIR');
  return heldByPath(path);
}

/**
 * Throws `output-unwritable` where this is root, and others may make the path, or an existing part of it, lead
 * elsewhere.
 */
export async function requireOwnPlace(path: string): Promise<void> {
  if (ownUser() !== 0) return;
  for (let here = await realPart(path); ; here = dirname(here)) {
    requireOwnNames(here, await fs.stat(here));
    if (here === dirname(here)) return;
  }
}

/**
 * Throws `output-unwritable` where this is root, and others may change what the names in the folder `path` stand for.
 */
export function requireOwnNames(path: string, stats: Stats): void {
  if (ownUser() !== 0 || !mayOthersChange(stats)) return;
  throw new SolpackError(
    'output-unwritable',
    path,
    'other users may change the contents of this folder while root relies on them',
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

/**
 * Stands behind the names that a link leads through: the folder that they lead to has to belong to the link's maker.
 */
interface OwnerCheck {
  /** The whole path, for errors. */
  readonly path: string;
  readonly maker: number;
}

/** Walks a path name by name, and returns the folder that it leads to, open. */
async function walk(path: string, make: boolean): Promise<fs.FileHandle> {
  let here = await fs.open('/', HOLD);
  let links = 0;
  const rest: (string | OwnerCheck)[] = namesOf(path);
  try {
    for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
      if (typeof part !== 'string') {
        await requireMaker(here, part);
        continue;
      }
      const check = rest.find((one) => typeof one !== 'string');
      const next = await follow(here, part, make && !check);
      if ('fd' in next) {
        await here.close();
        here = next;
        continue;
      }
      links += 1;
      if (links > LINKS) throw failed('ELOOP');
      if (next.maker !== undefined) rest.unshift({ path, maker: next.maker });
      rest.unshift(...namesOf(next.target));
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

/** The target of a link, and its maker, where that is neither this user nor root. */
interface Link {
  readonly target: string;
  readonly maker: number | undefined;
}

async function follow(here: fs.FileHandle, name: string, make: boolean): Promise<fs.FileHandle | Link> {
  const path = `${pathOf(here.fd)}/${name}`;
  try {
    return await enter(path, make);
  } catch (error) {
    if (codeOf(error) !== 'ENOTDIR') throw error;
    const target = await fs.readlink(path).catch(() => {
      throw error;
    });
    const [folder, link] = [await here.stat(), await fs.lstat(path)];
    // The owner of a folder may have moved any link into it.
    const maker = isTrustedUser(folder.uid) ? link.uid : folder.uid;
    return { target, maker: isTrustedUser(maker) ? undefined : maker };
  }
}

/** Opens a folder to hold it. Makes a new one durable. */
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

async function requireMaker(here: fs.FileHandle, { path, maker }: OwnerCheck): Promise<void> {
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

/** What differs between systems that can hold folders and others. */
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
  if (name === '' || name === '.' || name === '..' || basename(name) !== name) throw new Error(`${name} is not a name`);
  return name;
}

async function syncFolder(path: string): Promise<void> {
  const handle = await fs.open(path, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
