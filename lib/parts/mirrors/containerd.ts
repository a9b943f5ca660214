import * as fs from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { codeOf, lend, SolpackError } from '../../kernel/events/index.ts';
import { contains, enterBelow, type HeldFolder, portable } from '../../kernel/files/index.ts';
import { isOwnHostsFile, usersOf } from './hosts-file.ts';
import { readUnlinked, unlessNone } from './small-file.ts';

/** What containerd calls the file. */
export const FILE = 'hosts.toml';
/** The `hosts.toml` of a registry: where it is, and what it says now. */
export interface HostsFile {
  /** Path for messages. */
  readonly path: string;
  /** Its folder, relative to the folder of all of them, without links. */
  readonly place: string;
  /** Undefined where the file is absent. */
  readonly text: string | undefined;
  /** Whether others than its owner may read it; left out where it is absent. */
  readonly open?: boolean;
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
    const found = await lend(await enterBelow(root, posix.dirname(file)), (own) =>
      readUnlinked(own, posix.basename(file)),
    );
    return { path, place, ...found };
  });
}

/** Returns the path of the `hosts.toml` in the folder `place`. */
export function hostsPath(folder: string, place: string): string {
  return join(folder, place, FILE);
}

/** Finds every `hosts.toml` below `root` that solpack wrote for `user`. */
export async function ownHosts(root: HeldFolder, user: string): Promise<HostsFile[]> {
  return (await allHosts(root)).filter(({ text = '' }) => isOwnHostsFile(text) && usersOf(text).includes(user));
}

/** Finds every `hosts.toml` below `root`, whoever wrote it; those behind links are left out. */
export async function allHosts(root: HeldFolder): Promise<HostsFile[]> {
  const all: HostsFile[] = [];
  for (const place of (await root.names()).sort()) {
    const folder = await root.enter(place).catch(unlessNone);
    const found = folder && (await lend(folder, () => readUnlinked(folder, FILE).catch(unlessNone)));
    if (found) all.push({ path: hostsPath(root.path, place), place, ...found });
  }
  return all;
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

async function isThere(folder: HeldFolder, name: string): Promise<boolean> {
  return fs
    .lstat(folder.at(name))
    .then(() => true, unlessNone)
    .then(Boolean);
}
