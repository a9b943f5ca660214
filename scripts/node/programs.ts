import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { bin } from '../home.ts';
import { builtFolder, components } from './release.ts';

/** Folders that are searched after PATH, which often lacks the administrator's folders for other users. */
const administrators = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** Folders that distributions put CNI plugins into. */
const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni'];

/** What a node needs besides Kubernetes, each with the Debian package that installs it. */
export const requirements: Readonly<Record<string, string>> = {
  busybox: 'busybox-static',
  containerd: 'containerd',
  etcd: 'etcd-server',
  ip: 'iproute2',
  iptables: 'iptables',
  mount: 'mount',
  nsenter: 'util-linux',
  openssl: 'openssl',
  runc: 'runc',
  unshare: 'util-linux',
};

/** The CNI plugins that a node needs; Debian has them in `containernetworking-plugins`. */
const plugins = ['bridge', 'host-local', 'loopback', 'portmap'];

/** Decides whether `path` is a program that this process may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the folders that are searched for a node's programs, in order. */
export function searchPath(env: NodeJS.ProcessEnv = process.env): string[] {
  return [bin, ...(env['PATH'] ?? '').split(delimiter), ...administrators].filter((folder) => folder !== '');
}

/** Returns the full path of a program; undefined where this machine lacks it. */
export function findProgram(name: string): string | undefined {
  return searchPath()
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Returns the same for a program that is needed. Throws where it is absent. */
export function programPath(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

/** Returns the folder of this machine's CNI plugins; undefined where no folder has all that a node needs. */
export function pluginFolder(): string | undefined {
  return pluginFolders.find((folder) => plugins.every((name) => isProgram(join(folder, name))));
}

/** Returns the names of `wanted` that `folder` lacks. */
export function lackingComponents(folder: string, wanted: readonly string[] = components): string[] {
  return wanted.filter((name) => !isProgram(join(folder, name)));
}

/**
 * Returns KUBEBUILDER_ASSETS: a folder with Kubernetes' programs, as tests of controllers use it. Undefined where it is
 * not set.
 */
export function assets(
  env: NodeJS.ProcessEnv = process.env,
  wanted: readonly string[] = components,
): { folder: string; lacks: string[] } | undefined {
  const folder = env['KUBEBUILDER_ASSETS'];
  return folder ? { folder, lacks: lackingComponents(folder, wanted) } : undefined;
}

/**
 * Returns the folder from which `wanted` are run: a KUBEBUILDER_ASSETS with all of them, otherwise the folder into
 * which they are built.
 */
export function programFolder(env: NodeJS.ProcessEnv = process.env, wanted: readonly string[] = components): string {
  const given = assets(env, wanted);
  return given?.lacks.length === 0 ? given.folder : builtFolder(env);
}

/**
 * Returns the etcd beside Kubernetes' programs in `folder`, otherwise the machine's own; undefined where both are
 * absent.
 */
export function etcdProgram(folder: string): string | undefined {
  const given = join(folder, 'etcd');
  return isProgram(given) ? given : findProgram('etcd');
}
