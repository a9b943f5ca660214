import { codeOf, lend, unwritable } from '../../kernel/events/index.ts';
import { holdFolder } from '../../kernel/files/index.ts';
import { allHosts, type HostsFile, locateHosts } from './containerd.ts';
import { changeHosts, leaveHosts } from './hosts-change.ts';
import { isMarkedHostsFile, isOwnHostsFile, JOINED, usersOf } from './hosts-file.ts';

/** The changes of a configuration's mirrors; paths of files. */
export interface ReleasedMirrors {
  readonly removed: readonly string[];
  /** Those that stay, and why. */
  readonly stay: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Removes the `hosts.toml` files in `folder` that only the configuration `user` needed, and takes it off those that
 * others need too. Those for images of `hosts`, which it still has, stay as they are; so do files that somebody has
 * edited. A folder that is not there has none. Throws `path-escapes`, `output-unwritable`, `disk-full`.
 */
export async function releaseMirrors(folder: string, hosts: readonly string[], user: string): Promise<ReleasedMirrors> {
  try {
    const root = await holdFolder(folder).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    if (root === undefined) return { removed: [], stay: [] };
    return await lend(root, async (held) => {
      const needed = new Set<string>();
      for (const host of hosts) needed.add((await locateHosts(held, host)).place);
      const removed: string[] = [];
      const stay: { path: string; reason: string }[] = [];
      for (const file of await allHosts(held)) {
        if (!isMarkedHostsFile(file.text ?? '') || !usersOf(file.text ?? '').includes(user)) continue;
        const reason = reasonToStay(file, needed, user);
        if (reason !== undefined) stay.push({ path: file.path, reason });
        else removed.push(file.path);
        if (isOwnHostsFile(file.text ?? '') && !needed.has(file.place)) await changeHosts(held, leaveHosts(file, user));
      }
      return { removed, stay };
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function reasonToStay({ place, text = '' }: HostsFile, needed: ReadonlySet<string>, user: string): string | undefined {
  if (needed.has(place)) return 'Solutions that stay have images of its registry';
  if (!isOwnHostsFile(text)) return 'somebody has edited it since solpack wrote it';
  const others = usersOf(text).filter((one) => one !== user);
  if (others.length === 0) return undefined;
  if (others.includes(JOINED)) return 'solpack join-mirror wrote it too';
  return `other configurations need it: ${others.join(', ')}`;
}
