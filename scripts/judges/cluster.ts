import { readFileSync } from 'node:fs';
import { isStatic } from '../node/elf.ts';
import { findProgram, pluginFolder, requirements } from '../node/programs.ts';
import { debian } from './debian.ts';
import type { Judge } from './shell.ts';

/** What a Kubernetes node needs besides Kubernetes, which `scripts/node.ts` builds. */
export const clusterJudges: Readonly<Record<string, Judge>> = {
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
