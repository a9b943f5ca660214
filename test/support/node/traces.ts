import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cgroupMounts } from '../../../scripts/node/cgroups.ts';
import { identityOf } from '../../../scripts/node/identity.ts';
import type { ClusterNode } from '../../../scripts/node/index.ts';
import { processes } from './processes.ts';

/** What tells a node's traces on this machine from all else, also once it is gone. */
export interface Marks {
  readonly state: string;
  /** The identities of its processes. */
  readonly processes: readonly string[];
}

/** Takes the marks of a running node. Its namespaces are none: their numbers are used again at once. */
export function marksOf({ state, keeper, pid }: Pick<ClusterNode, 'state' | 'keeper' | 'pid'>): Marks {
  const namespace = namespaceOf(pid);
  const inside = processes().filter((one) => namespaceOf(one) === namespace);
  return { state, processes: [keeper, ...inside].flatMap((one) => identityOf(one) ?? []) };
}

/** Everything of a node that is on this machine: processes, mounts, network devices, cgroups, files. */
export function tracesOf({ state, processes: marked }: Marks): string[] {
  const name = basename(state);
  const own = processes().filter((pid) => marked.includes(identityOf(pid) ?? '') || mentions(pid, name));
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(name));
  const devices = readFileSync('/proc/self/net/dev', 'utf8').match(/^ *(?:node0|pods0):/gm) ?? [];
  const cgroups = cgroupMounts().flatMap((mount) =>
    readdirSync(mount).flatMap((entry) => (entry === name ? [join(mount, entry)] : [])),
  );
  const files = readdirSync(tmpdir()).filter((entry) => entry === name);
  return [
    ...own.map((pid) => `process ${pid}`),
    ...mounts.map((line) => `mount ${line}`),
    ...devices.map((line) => `device ${line.trim()}`),
    ...cgroups.map((path) => `cgroup ${path}`),
    ...files.map((entry) => `folder ${entry}`),
  ];
}

/** This machine's own IPv4 addresses that other machines can reach. */
export function outerAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  );
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function mentions(pid: number, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
  } catch {
    return false;
  }
}
