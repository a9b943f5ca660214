import * as fs from 'node:fs/promises';
import { utf8 } from '../../../formats/bytes.ts';
import { codeOf, lend, SolpackError } from '../../kernel/events/index.ts';
import { enterBelow, type HeldFolder, writeIn } from '../../kernel/files/index.ts';
import { type Authority, dropAuthorities, hasAuthority, writeAuthority } from './authority.ts';
import { FILE, type HostsFile } from './containerd.ts';
import {
  type ContainerdEndpoint,
  hostsFile,
  isOwnHostsFile,
  JOINED,
  leadsTo,
  linesFor,
  usersOf,
  withUsers,
} from './hosts-file.ts';

/** What has to be done to a `hosts.toml`. */
export interface HostsChange {
  readonly file: HostsFile;
  readonly action: 'create' | 'change' | 'remove' | 'none';
  /** What it has to say; undefined where it is removed, or left as it is. */
  readonly text: string | undefined;
  /** The authorities that have to lie beside it. Left out: those that do. */
  readonly authorities?: readonly Authority[];
}

/** Throws `mirror-foreign` for files that need a change, but that solpack, or this command of it, must not change. */
export function requireOurs(files: readonly HostsFile[], endpoints: readonly ContainerdEndpoint[]): void {
  const wrong = files.filter(({ text }) => text !== undefined && !leadsToAll(text, endpoints));
  const foreign = wrong.filter(({ text = '' }) => !isOwnHostsFile(text));
  const [first, ...more] = foreign.map(({ path }) => path);
  if (first !== undefined) {
    const others = more.length > 0 ? `, and so with ${more.join(', ')}` : '';
    const lines = endpoints.map(linesFor).map(([table, ...own]) => `${table} with ${own.join(' and ')}`);
    throw new SolpackError('mirror-foreign', first, `solpack did not write it, or somebody has edited it${others}`, {
      hint: `add ${lines.join(', and ')} to it, or move it away`,
    });
  }
}

/**
 * Throws `mirror-foreign` for files of `joinMirrors` that lead elsewhere: an install does not know the password of
 * theirs.
 */
export function requireJoinedTo(files: readonly HostsFile[], endpoint: ContainerdEndpoint): void {
  const wrong = files.find(({ text = '' }) => usersOf(text).includes(JOINED) && !leadsTo(text, endpoint));
  if (wrong === undefined) return;
  throw new SolpackError(
    'mirror-foreign',
    wrong.path,
    `"solpack join-mirror" wrote it, but it does not name ${endpoint.url}`,
    {
      hint: `run "solpack join-mirror" with --served-at ${endpoint.url} too, or name a server that it has joined`,
    },
  );
}

function leadsToAll(text: string, endpoints: readonly ContainerdEndpoint[]): boolean {
  return endpoints.every((endpoint) => leadsTo(text, endpoint));
}

/** Decides how a `hosts.toml` comes to lead to the endpoint for the configuration `user` too. */
export function needHosts(file: HostsFile, endpoint: ContainerdEndpoint, user: string): HostsChange {
  const { text: before } = file;
  if (before !== undefined && !isOwnHostsFile(before)) return { file, action: 'none', text: undefined };
  const users = [...usersOf(before ?? ''), user];
  // What was joined names more servers, with their password.
  const text = users.includes(JOINED) ? withUsers(before!, users) : hostsFile([endpoint], users);
  if (before === text) return { file, action: 'none', text: undefined };
  return { file, action: before === undefined ? 'create' : 'change', text };
}

/** Decides how a `hosts.toml` comes to lead to all of these endpoints, with their authorities beside it. */
export async function joinHosts(
  root: HeldFolder,
  file: HostsFile,
  endpoints: readonly ContainerdEndpoint[],
  authorities: readonly Authority[],
): Promise<HostsChange> {
  const { text: before, place } = file;
  if (before !== undefined && !isOwnHostsFile(before)) return { file, action: 'none', text: undefined };
  const text = hostsFile(endpoints, [...usersOf(before ?? ''), JOINED]);
  const isPrivate = modeOf(text) === 0o644 || file.open === false;
  if (before === text && isPrivate && (await hasAuthority(root, place, authorities))) {
    return { file, action: 'none', text: undefined };
  }
  return { file, action: before === undefined ? 'create' : 'change', text, authorities };
}

/** Decides what becomes of a `hosts.toml` that `user` no longer needs: it is removed where nobody else does. */
export function leaveHosts(file: HostsFile, user: string): HostsChange {
  const { text = '' } = file;
  const others = usersOf(text).filter((one) => one !== user);
  if (others.length === 0) return { file, action: 'remove', text: undefined };
  return { file, action: 'change', text: withUsers(text, others) };
}

/**
 * Does it, wholly or not at all: authorities are there before the file names them, and as long as it does. The folder
 * of a file that is removed goes too, where that is then empty.
 */
export async function changeHosts(root: HeldFolder, change: HostsChange): Promise<void> {
  const { file, action, text, authorities } = change;
  const { place } = file;
  if (text !== undefined) {
    await lend(await enterBelow(root, place, true), async (folder) => {
      for (const authority of authorities ?? []) await writeAuthority(folder, authority);
      await writeIn(folder, FILE, utf8(text), modeOf(text));
      if (authorities !== undefined) await dropAuthorities(folder, authorities);
    });
  }
  if (action !== 'remove') return;
  await lend(await enterBelow(root, place), async (folder) => {
    await fs.unlink(folder.at(FILE));
    await dropAuthorities(folder, []);
  });
  await fs.rmdir(root.at(place)).catch((error) => {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Nobody but its owner may read a file that has a password. */
function modeOf(text: string): number {
  return /^ *authorization = /m.test(text) ? 0o600 : 0o644;
}
