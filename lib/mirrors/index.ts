import { lend } from '../flow.ts';
import { holdFolder } from '../held-folder.ts';
import { inside } from '../paths.ts';
import { unwritable } from '../system-errors.ts';
import { type HostsFile, leaveHosts, locateHosts, ownHosts, requireOurs, writeHosts } from './containerd.ts';
import { endpointOf } from './hosts-file.ts';

export { reachable } from './reachable.ts';
export { type MirrorText, mirrorText, type Runtime } from './runtime-config.ts';

/** The changes of the mirror configuration, as paths of files. */
export interface MirrorResult {
  /** Written, because they were absent or different. */
  readonly written: readonly string[];
  /** Unchanged, because they lead to the mirror already. */
  readonly unchanged: readonly string[];
  /** Removed, because no configuration needs images of their registry any longer. */
  readonly removed: readonly string[];
}

/**
 * Makes containerd pull the images of `hosts` (`HOST[:PORT]`, as in references) only from the registry at `mirrorUrl`,
 * for the configuration `user` (an RFC 1123 label). `folder` is the `config_path` of containerd's CRI plugin, and is
 * made where it is absent; containerd reads it at each pull and need not be restarted. Files that solpack did not
 * write, or that somebody has edited, are never changed. Files that other configurations need stay. Throws
 * `mirror-foreign` and `path-escapes` before anything is written, `output-unwritable`, `disk-full`.
 */
export async function writeMirrors(
  folder: string,
  hosts: readonly string[],
  mirrorUrl: string,
  user: string,
): Promise<MirrorResult> {
  const endpoint = endpointOf(mirrorUrl);
  try {
    return await lend(await holdFolder(folder, true), async (root) => {
      for (const host of hosts) inside(folder, host);
      const needed: HostsFile[] = [];
      for (const host of [...new Set(hosts)].sort()) needed.push(await locateHosts(root, host));
      const places = new Set(needed.map(({ place }) => place));
      const stale = (await ownHosts(root, user)).filter(({ place }) => !places.has(place));
      requireOurs(needed, endpoint);
      const result = { written: [] as string[], unchanged: [] as string[], removed: [] as string[] };
      for (const file of needed) {
        ((await writeHosts(root, file, endpoint, user)) ? result.written : result.unchanged).push(file.path);
      }
      for (const file of stale) {
        if (await leaveHosts(root, file, user)) result.removed.push(file.path);
      }
      return result;
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}
