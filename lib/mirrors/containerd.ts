import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { utf8 } from '../../formats/bytes.ts';
import { SolpackError } from '../errors.ts';
import { lend } from '../flow.ts';
import { enterBelow } from '../folder-tree.ts';
import type { HeldFolder } from '../held-folder.ts';
import { contains, portable } from '../paths.ts';
import { writeIn } from '../pending-file.ts';
import { codeOf } from '../system-errors.ts';
import {
  type ContainerdEndpoint,
  hostsFile,
  isOwnHostsFile,
  leadsTo,
  linesFor,
  usersOf,
  withUsers,
} from './hosts-file.ts';

const FILE = 'hosts.toml';
/** Most bytes of a `hosts.toml` that is read. */
const LIMIT = 1024 * 1024;

/** The `hosts.toml` of a registry: where it is, and what it says now. */
export interface HostsFile {
  /** Path for messages. */
  readonly path: string;
  /** Its folder, relative to the folder of all of them, without links. */
  readonly place: string;
  /** Undefined where the file is absent. */
  readonly text: string | undefined;
}

/**
 * Finds the `hosts.toml` that containerd reads for images of `host` (`HOST[:PORT]`). Some disks cannot have `:` in
 * names; there people write `HOST_PORT_`, which containerd prefers. Throws `path-escapes` where symbolic links lead out
 * of `root`.
 */
export async function locateHosts(root: HeldFolder, host: string): Promise<HostsFile> {
  const other = host.replace(/:(\d+)$/, '_$1_');
  const name = other !== host && (await isThere(root, other)) ? other : host;
  const path = hostsPath(root.path, name);
  if (!(await isThere(root, name))) return { path, place: name, text: undefined };
  const place = await insideOf(root, root, name);
  return lend(await enterBelow(root, place), async (folder) => {
    if (!(await isThere(folder, FILE))) return { path, place, text: undefined };
    const file = await insideOf(root, folder, FILE);
    const text = await lend(await enterBelow(root, posix.dirname(file)), (own) => textOf(own, posix.basename(file)));
    return { path, place, text };
  });
}

/** Returns the path of the `hosts.toml` in the folder `place`. */
export function hostsPath(folder: string, place: string): string {
  return join(folder, place, FILE);
}

/** Finds every `hosts.toml` below `root` that solpack wrote for the configuration `user`. */
export async function ownHosts(root: HeldFolder, user: string): Promise<HostsFile[]> {
  const own: HostsFile[] = [];
  for (const place of await root.names()) {
    const folder = await root.enter(place).catch(unlessNone);
    const text = folder && (await lend(folder, () => textOf(folder, FILE).catch(unlessNone)));
    if (text && isOwnHostsFile(text) && usersOf(text).includes(user)) {
      own.push({ path: join(root.path, place, FILE), place, text });
    }
  }
  return own;
}

/** Throws `mirror-foreign` for files that need a change, but that solpack must not change. */
export function requireOurs(files: readonly HostsFile[], endpoint: ContainerdEndpoint): void {
  const foreign = files.filter(({ text }) => text !== undefined && !isOwnHostsFile(text) && !leadsTo(text, endpoint));
  const [first, ...more] = foreign.map(({ path }) => path);
  if (first === undefined) return;
  const others = more.length > 0 ? `, and so with ${more.join(', ')}` : '';
  const [table, ...lines] = linesFor(endpoint);
  throw new SolpackError('mirror-foreign', first, `solpack did not write it, or somebody has edited it${others}`, {
    hint: `add ${table} with ${lines.join(' and ')} to it, or move it away`,
  });
}

/** What has to be done to a `hosts.toml`. */
export interface HostsChange {
  readonly file: HostsFile;
  readonly action: 'create' | 'change' | 'remove' | 'none';
  /** What it has to say; undefined where it is removed, or left as it is. */
  readonly text: string | undefined;
}

/** Decides how a `hosts.toml` comes to lead to the endpoint for `user` too. */
export function needHosts(file: HostsFile, endpoint: ContainerdEndpoint, user: string): HostsChange {
  const { text: before } = file;
  if (before !== undefined && !isOwnHostsFile(before)) return { file, action: 'none', text: undefined };
  const text = hostsFile(endpoint, [...usersOf(before ?? ''), user]);
  if (before === text) return { file, action: 'none', text: undefined };
  return { file, action: before === undefined ? 'create' : 'change', text };
}

/** Decides what becomes of a `hosts.toml` that `user` no longer needs: it is removed where nobody else does. */
export function leaveHosts(file: HostsFile, user: string): HostsChange {
  const { text = '' } = file;
  const others = usersOf(text).filter((one) => one !== user);
  if (others.length === 0) return { file, action: 'remove', text: undefined };
  return { file, action: 'change', text: withUsers(text, others) };
}

/** Does it, wholly or not at all. The folder of a file that is removed goes too, where that is then empty. */
export async function changeHosts(root: HeldFolder, { file: { place }, action, text }: HostsChange): Promise<void> {
  if (text !== undefined) {
    await lend(await enterBelow(root, place, true), (folder) => writeIn(folder, FILE, utf8(text)));
  }
  if (action !== 'remove') return;
  await lend(await enterBelow(root, place), (folder) => fs.unlink(folder.at(FILE)));
  await fs.rmdir(root.at(place)).catch((error) => {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
}

/**
 * Returns where `name` in a folder leads, relative to `root`, with links resolved. Throws `path-escapes` where it leads
 * out of `root`.
 */
async function insideOf(root: HeldFolder, folder: HeldFolder, name: string): Promise<string> {
  const top = await root.real();
  const real = await fs.realpath(folder.at(name)).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (real !== undefined && contains(top, real)) return portable(relative(top, real));
  const path = join(folder.path, name);
  throw new SolpackError('path-escapes', path, `is a symbolic link that leads ${real ? `to ${real}` : 'nowhere'}`, {
    hint: `replace it by a folder or a file below ${root.path}`,
  });
}

/** Reads a file without following a link; '' where it is no regular file. */
async function textOf(folder: HeldFolder, name: string): Promise<string> {
  const handle = await folder.open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    // A larger file is somebody else's, whatever it says.
    return stats.isFile() && stats.size <= LIMIT ? await handle.readFile('utf8') : '';
  } finally {
    await handle.close();
  }
}

async function isThere(folder: HeldFolder, name: string): Promise<boolean> {
  return fs
    .lstat(folder.at(name))
    .then(() => true, unlessNone)
    .then(Boolean);
}

/** Ignores errors about a file that is absent, or cannot be there. */
function unlessNone(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '')) throw error;
}
