import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin } from '../home.ts';
import { isStatic } from '../node/elf.ts';
import { findProgram, isProgram, pluginFolder, requirements } from '../node/programs.ts';
import { debian, newerDebian } from './debian.ts';
import type { Judge } from './shell.ts';

/** The programs of containerd that a node runs. */
const containerd = ['containerd', 'containerd-shim-runc-v2', 'ctr'] as const;

/** What a Kubernetes node needs besides Kubernetes, which `scripts/node.ts` builds. */
export const clusterJudges: Readonly<Record<string, Judge>> = {
  // containerd tells kubelet which images are pinned since 1.7.
  'containerd 1.7': {
    ways: [newerDebian('containerd', { programs: containerd })],
    here: () => containerd.every((name) => isProgram(join(bin, name))),
  },
  ...Object.fromEntries(
    Object.entries(requirements).map(([name, source]) => [
      name,
      { ways: [debian(source)], here: () => findProgram(name) !== undefined },
    ]),
  ),
  busybox: { ways: [debian(requirements['busybox']!)], here: hasStaticBusybox },
  'CNI plugins': { ways: [debian('containernetworking-plugins')], here: () => pluginFolder() !== undefined },
};

/** Checks for the static one: Debian's busybox and busybox-static install the same program, and replace each other. */
export function hasStaticBusybox(): boolean {
  const path = findProgram('busybox');
  return path !== undefined && isStatic(readFileSync(path));
}
