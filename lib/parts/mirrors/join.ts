import { codeOf, lend, unwritable } from '../../kernel/events/index.ts';
import { holdFolder, inside } from '../../kernel/files/index.ts';
import { authorityOf } from './authority.ts';
import { type HostsFile, locateHosts, ownHosts } from './containerd.ts';
import { changeHosts, type HostsChange, joinHosts, leaveHosts, requireOurs } from './hosts-change.ts';
import { type ContainerdEndpoint, endpointOf, JOINED } from './hosts-file.ts';
import { type MirrorResult, mirrorResult } from './result.ts';

/** A server that a node pulls from. */
export interface MirrorServer {
  readonly url: string;
  /** PEM text of the authorities to trust beside the system's. */
  readonly ca?: string | undefined;
  /** What is sent as `Authorization`. */
  readonly authorization?: string | undefined;
}

/**
 * Makes containerd pull the images of `hosts` (`HOST[:PORT]`, as in references), and of all registries that were joined
 * before, from `servers` and nobody else, the first one first. `folder` is the `config_path` of containerd's CRI
 * plugin. A file with a password can be read by its owner alone. What is right already is not written again. Throws as
 * `writeMirrors`.
 */
export async function joinMirrors(
  folder: string,
  hosts: readonly string[],
  servers: readonly MirrorServer[],
): Promise<MirrorResult> {
  const authorities = servers.flatMap(({ ca }) => (ca === undefined ? [] : [authorityOf(ca)]));
  const endpoints = servers.map(endpointFor);
  try {
    return await lend(await holdFolder(folder, true), async (root) => {
      for (const host of hosts) inside(root.path, host);
      const files = new Map<string, HostsFile>((await ownHosts(root, JOINED)).map((file) => [file.place, file]));
      for (const host of [...new Set(hosts)].sort()) {
        const file = await locateHosts(root, host);
        files.set(file.place, file);
      }
      requireOurs([...files.values()], endpoints);
      const changes: HostsChange[] = [];
      for (const file of files.values()) changes.push(await joinHosts(root, file, endpoints, authorities));
      for (const change of changes) await changeHosts(root, change);
      return mirrorResult(changes, []);
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/**
 * Undoes `joinMirrors`, for some registries or for all. A file that an install needs too stays for that. Throws
 * `output-unwritable`.
 */
export async function leaveMirrors(folder: string, hosts?: readonly string[]): Promise<MirrorResult> {
  try {
    const held = await holdFolder(folder).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    if (held === undefined) return { written: [], unchanged: [], removed: [] };
    return await lend(held, async (root) => {
      const places = new Set<string>();
      for (const host of hosts ?? []) places.add((await locateHosts(root, host)).place);
      const own = (await ownHosts(root, JOINED)).filter(({ place }) => hosts === undefined || places.has(place));
      const changes = own.map((file) => leaveHosts(file, JOINED));
      for (const change of changes) await changeHosts(root, change);
      return mirrorResult(
        changes.filter(({ action }) => action === 'change'),
        changes,
      );
    });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function endpointFor({ url, ca, authorization }: MirrorServer): ContainerdEndpoint {
  return {
    ...endpointOf(url),
    ...(ca === undefined ? {} : { ca: authorityOf(ca).name }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}
