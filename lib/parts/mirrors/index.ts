import { codeOf, lend, unwritable } from '../../kernel/events/index.ts';
import { type HeldFolder, holdFolder, inside } from '../../kernel/files/index.ts';
import { freeSpaceFor } from '../../kernel/machine/index.ts';
import type { Foreseen } from '../../kernel/plan/index.ts';
import { blankHosts } from './blank-hosts.ts';
import { type HostsFile, hostsPath, locateHosts, ownHosts } from './containerd.ts';
import { changeHosts, type HostsChange, leaveHosts, needHosts, requireJoinedTo, requireOurs } from './hosts-change.ts';
import { endpointOf } from './hosts-file.ts';
import { type MirrorResult, mirrorResult } from './result.ts';

export { blankHosts } from './blank-hosts.ts';
export { joinMirrors, leaveMirrors, type MirrorServer } from './join.ts';
export { type FoundMirror, findMirrors } from './look.ts';
export { reachable } from './reachable.ts';
export { type ReleasedMirrors, releaseMirrors } from './release.ts';
export type { MirrorResult } from './result.ts';
export { type MirrorText, mirrorText, type Runtime } from './runtime-config.ts';

/**
 * Makes containerd pull the images of `hosts` (`HOST[:PORT]`, as in references) only from the registry at `mirrorUrl`,
 * for the configuration `user` (an RFC 1123 label). `folder` is the `config_path` of containerd's CRI plugin, and is
 * created if it is absent; containerd reads it at each pull and need not be restarted. Files that solpack did not
 * write, or that somebody has edited, are never changed. Files that other configurations need stay. Files that this one
 * no longer needs are removed, unless they are `kept` for objects that still exist. Throws `mirror-foreign` and
 * `path-escapes` before anything is written, `output-unwritable`, `disk-full`.
 */
export async function writeMirrors(
  folder: string,
  hosts: readonly string[],
  mirrorUrl: string,
  user: string,
  unneeded: 'removed' | 'kept' = 'removed',
): Promise<MirrorResult> {
  try {
    return await lend(await holdFolder(folder, true), async (root) => {
      const changes = await mirrorChanges(root, hosts, mirrorUrl, user);
      const { needed } = changes;
      const stale = unneeded === 'kept' ? [] : changes.stale;
      for (const change of [...needed, ...stale]) await changeHosts(root, change);
      return mirrorResult(needed, stale);
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/**
 * Finds out what `writeMirrors` would do that keeps what is not needed, and does nothing. Throws what that throws
 * before it writes.
 */
export async function foreseeMirrors(
  folder: string,
  hosts: readonly string[],
  mirrorUrl: string,
  user: string,
): Promise<Foreseen<MirrorResult>> {
  try {
    const root = await holdFolder(folder).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    const changes = root && (await lend(root, (held) => mirrorChanges(held, hosts, mirrorUrl, user)));
    return foreseenChanges(folder, {
      needed: changes?.needed ?? absentHosts(folder, hosts, mirrorUrl, user),
      stale: [],
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/**
 * Removes what `writeMirrors` has kept: mirrors that the configuration `user` needed for other registries than `hosts`.
 * Returns the paths of files that are gone; others stay, because other configurations need them. Throws
 * `output-unwritable`, `disk-full`.
 */
export async function retireMirrors(
  folder: string,
  hosts: readonly string[],
  user: string,
): Promise<readonly string[]> {
  try {
    return await lend(await holdFolder(folder, true), async (root) => {
      const stale = await staleChanges(root, hosts, user);
      for (const change of stale) await changeHosts(root, change);
      return mirrorResult([], stale).removed;
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** Finds out what `retireMirrors` would do, and does nothing. */
export async function foreseeRetired(
  folder: string,
  hosts: readonly string[],
  user: string,
): Promise<Foreseen<readonly string[]>> {
  try {
    const root = await holdFolder(folder).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    const stale = root === undefined ? [] : await lend(root, (held) => staleChanges(held, hosts, user));
    return { ...(await foreseenChanges(folder, { needed: [], stale })), output: [] };
  } catch (error) {
    throw unwritable(folder, error);
  }
}

async function staleChanges(root: HeldFolder, hosts: readonly string[], user: string): Promise<HostsChange[]> {
  const places = new Set<string>();
  for (const host of hosts) places.add((await locateHosts(root, host)).place);
  const stale = (await ownHosts(root, user)).filter(({ place }) => !places.has(place));
  return stale.map((file) => leaveHosts(file, user));
}

interface MirrorChanges {
  readonly needed: readonly HostsChange[];
  /** Of files that are no longer needed. */
  readonly stale: readonly HostsChange[];
}

/** Decides what has to be done to mirrors; `writeMirrors` does just that. */
async function mirrorChanges(
  root: HeldFolder,
  hosts: readonly string[],
  mirrorUrl: string,
  user: string,
): Promise<MirrorChanges> {
  const endpoint = endpointOf(mirrorUrl);
  for (const host of hosts) inside(root.path, host);
  const needed: HostsFile[] = [];
  for (const host of [...new Set(hosts)].sort()) needed.push(await locateHosts(root, host));
  requireOurs(needed, [endpoint]);
  requireJoinedTo(needed, endpoint);
  return {
    needed: needed.map((file) => needHosts(file, endpoint, user)),
    stale: await staleChanges(root, hosts, user),
  };
}

/** The same for a folder that is yet to be made. */
function absentHosts(folder: string, hosts: readonly string[], mirrorUrl: string, user: string): HostsChange[] {
  for (const host of hosts) inside(folder, host);
  return [...new Set(hosts)].sort().map((place) => {
    const file = { path: hostsPath(folder, place), place, text: undefined };
    return needHosts(file, endpointOf(mirrorUrl), user);
  });
}

async function foreseenChanges(folder: string, { needed, stale }: MirrorChanges): Promise<Foreseen<MirrorResult>> {
  const all = [...needed, ...stale].filter(({ action }) => action !== 'none');
  const actions = all.map(({ file, action, text }) => ({
    subject: file.path,
    action,
    changes: [
      {
        path: 'text',
        ...(file.text === undefined ? {} : { from: blankHosts(file.text) }),
        ...(text === undefined ? {} : { to: blankHosts(text) }),
      },
    ],
    ...(text === undefined ? {} : { bytes: text.length }),
  }));
  const bytes = actions.reduce((sum, { bytes: own = 0 }) => sum + own, 0);
  const room = bytes === 0 ? [] : [{ place: folder, needed: bytes, free: freeSpaceFor(folder) }];
  const unchanged = needed.length + stale.length - all.length;
  return { output: { written: [], unchanged: [], removed: [] }, actions, unchanged, room };
}
