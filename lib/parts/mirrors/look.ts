import { codeOf, lend, unreadable } from '../../kernel/events/index.ts';
import { enterBelow, type HeldFolder, holdFolder, inside, readFile } from '../../kernel/files/index.ts';
import { allHosts, type HostsFile, hostsPath, locateHosts } from './containerd.ts';
import { endpointsIn, type NamedEndpoint } from './endpoints-in.ts';
import { isOwnHostsFile, usersOf } from './hosts-file.ts';
import type { MirrorServer } from './join.ts';
import { readUnlinked } from './small-file.ts';

/** What containerd finds for a registry. */
export interface FoundMirror {
  /** `HOST[:PORT]`, as in references. */
  readonly registry: string;
  /** Path of its `hosts.toml`. */
  readonly path: string;
  readonly state: 'ready' | 'missing' | 'drifted';
  /** Why it is not ready. */
  readonly reason?: string;
  /** Those that containerd asks, in their order. */
  readonly servers: readonly MirrorServer[];
}

/**
 * Looks at what containerd finds for `registries`; without them, for each that solpack has written a mirror for. It
 * changes nothing, and asks no server. Throws `path-escapes`, `file-unreadable`.
 */
export async function findMirrors(folder: string, registries?: readonly string[]): Promise<readonly FoundMirror[]> {
  try {
    const held = await holdFolder(folder).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    if (held === undefined) return (registries ?? []).map((registry) => absent(registry, hostsPath(folder, registry)));
    return await lend(held, async (root) => {
      const found: FoundMirror[] = [];
      for (const [registry, file] of await filesOf(root, registries)) found.push(await lookAt(root, registry, file));
      return found;
    });
  } catch (error) {
    throw unreadable(folder, error);
  }
}

async function filesOf(root: HeldFolder, registries?: readonly string[]): Promise<(readonly [string, HostsFile])[]> {
  if (registries === undefined) {
    const own = (await allHosts(root)).filter(({ text = '' }) => usersOf(text).length > 0);
    return own.map((file) => [file.place.replace(/_(\d+)_$/, ':$1'), file]);
  }
  const files: (readonly [string, HostsFile])[] = [];
  for (const registry of registries) {
    inside(root.path, registry);
    files.push([registry, await locateHosts(root, registry)]);
  }
  return files;
}

function absent(registry: string, path: string): FoundMirror {
  return { registry, path, state: 'missing', reason: 'there is no such file', servers: [] };
}

async function lookAt(root: HeldFolder, registry: string, file: HostsFile): Promise<FoundMirror> {
  const { path, place, text, open } = file;
  if (text === undefined) return absent(registry, path);
  const drifted = (reason: string): FoundMirror => ({ registry, path, state: 'drifted', reason, servers: [] });
  const endpoints = endpointsIn(text)?.filter(({ pulls }) => pulls);
  if (endpoints === undefined) return drifted('it is not TOML');
  if (usersOf(text).length > 0 && !isOwnHostsFile(text)) return drifted('somebody has edited it');
  if (endpoints.length === 0) return drifted('it names no server to pull from');
  if (open && endpoints.some(({ authorization }) => authorization !== undefined)) {
    return drifted('users other than its owner may read the password in it');
  }
  try {
    const servers: MirrorServer[] = [];
    for (const endpoint of endpoints) servers.push(await serverOf(root, place, endpoint));
    return { registry, path, state: 'ready', servers };
  } catch (error) {
    const name = codeOf(error) === undefined ? String(error) : `${codeOf(error)}`;
    return drifted(`the authorities that it names cannot be read: ${name}`);
  }
}

async function serverOf(root: HeldFolder, place: string, endpoint: NamedEndpoint): Promise<MirrorServer> {
  const { url, overridePath, ca, authorization } = endpoint;
  const texts: string[] = [];
  for (const name of ca) {
    texts.push(
      name.startsWith('/')
        ? Buffer.from(await readFile(name)).toString()
        : await lend(await enterBelow(root, place), async (folder) => (await readUnlinked(folder, name)).text),
    );
  }
  return {
    url: overridePath ? url.replace('/v2/', '/') : url,
    ...(texts.length === 0 ? {} : { ca: texts.join('\n') }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}
