import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { utf8 } from '../../formats/bytes.ts';
import { SolpackError } from '../errors.ts';
import { codeOf } from '../host.ts';
import { contains } from '../paths.ts';
import { writeFile } from '../pending-file.ts';
import { type Endpoint, hostsFile, isOurs, leadsTo, linesFor, usersOf, withUsers } from './hosts-file.ts';

const FILE = 'hosts.toml';
/** Most bytes of a `hosts.toml` that is looked at. */
const LIMIT = 1024 * 1024;

/** Where the `hosts.toml` of a registry lies, and what it says now. */
export interface HostsFile {
  readonly path: string;
  /** Undefined where there is none. */
  readonly text: string | undefined;
}

/**
 * The `hosts.toml` that containerd reads for images of `host` (`HOST[:PORT]`). On disks that cannot have `:` in names
 * people write `HOST_PORT_`, and containerd prefers that. Throws `path-escapes` where symbolic links lead out of `root`.
 */
export async function locateHosts(root: string, host: string): Promise<HostsFile> {
  const other = host.replace(/:(\d+)$/, '_$1_');
  const folder = join(root, other !== host && (await exists(join(root, other))) ? other : host);
  return readHosts(root, folder);
}

/** Every `hosts.toml` below `root` that solpack wrote for `user`, which is a configuration. */
export async function ownHosts(root: string, user: string): Promise<HostsFile[]> {
  const own: HostsFile[] = [];
  for (const entry of await fs.readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(root, entry.name, FILE);
    const isFile = await fs.lstat(path).then(
      (stats) => stats.isFile(),
      () => false,
    );
    const text = isFile ? await textOf(path) : '';
    if (isOurs(text) && usersOf(text).includes(user)) own.push({ path, text });
  }
  return own;
}

/** Throws `mirror-foreign` for files that have to lead to the endpoint, but are not ours to change. */
export function requireOurs(files: readonly HostsFile[], endpoint: Endpoint): void {
  const foreign = files.filter(({ text }) => text !== undefined && !isOurs(text) && !leadsTo(text, endpoint));
  const [first, ...more] = foreign.map(({ path }) => path);
  if (first === undefined) return;
  const others = more.length > 0 ? `, and so with ${more.join(', ')}` : '';
  const [table, ...lines] = linesFor(endpoint);
  throw new SolpackError('mirror-foreign', first, `solpack did not write it, or somebody has edited it${others}`, {
    hint: `add ${table} with ${lines.join(' and ')} to it, or move it away`,
  });
}

/** Makes a `hosts.toml` lead to the endpoint for `user` too, whole or not at all; false where it does already. */
export async function writeHosts({ path, text }: HostsFile, endpoint: Endpoint, user: string): Promise<boolean> {
  if (text !== undefined && !isOurs(text)) return false;
  const wanted = hostsFile(endpoint, [...usersOf(text ?? ''), user]);
  if (text === wanted) return false;
  await fs.mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, utf8(wanted));
  return true;
}

/**
 * Says of a `hosts.toml` that `user` needs it no longer. Where nobody else does, removes it, and its folder if nothing
 * else is in it; returns whether it did.
 */
export async function leaveHosts({ path, text = '' }: HostsFile, user: string): Promise<boolean> {
  const others = usersOf(text).filter((one) => one !== user);
  if (others.length > 0) {
    await writeFile(path, utf8(withUsers(text, others)));
    return false;
  }
  await fs.rm(path);
  await fs.rmdir(join(path, '..')).catch((error) => {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
  return true;
}

async function readHosts(root: string, folder: string): Promise<HostsFile> {
  await requireInside(root, folder);
  const path = join(folder, FILE);
  await requireInside(root, path);
  return { path, text: (await exists(path)) ? await textOf(path) : undefined };
}

/** Throws `path-escapes` where `path`, its symbolic links followed, is not below `root`. */
async function requireInside(root: string, path: string): Promise<void> {
  if (!(await exists(path))) return;
  const real = await fs.realpath(path).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (real !== undefined && contains(root, real)) return;
  throw new SolpackError('path-escapes', path, `is a symbolic link that leads ${real ? `to ${real}` : 'nowhere'}`, {
    hint: `replace it by a folder or a file below ${root}`,
  });
}

async function textOf(path: string): Promise<string> {
  const { size } = await fs.stat(path);
  // What is larger than any hosts.toml is somebody else's, whatever it says.
  return size > LIMIT ? '' : fs.readFile(path, 'utf8');
}

function exists(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    (error) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw error;
    },
  );
}
