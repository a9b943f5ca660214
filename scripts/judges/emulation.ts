import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Platform, platforms } from '../executable/platforms.ts';
import { cache, replaceFolder } from '../home.ts';
import { findProgram } from '../node/programs.ts';
import { newerDebian, unpackNewer } from './debian.ts';
import type { Judge } from './shell.ts';

/** What programs that use the C library and C++'s need of a system. */
const libraries = ['libc6', 'libstdc++6', 'libgcc-s1'];

/** Returns the words that come before a program of `platform`, and its arguments, to run it on this machine. */
export function emulation(platform: Platform): readonly string[] {
  if (isNative(platform)) return [];
  const { libraries, loader } = platform.debian;
  const folder = join(systemOf(platform), 'usr/lib', libraries);
  // An option could name another root to QEMU, which would then show that in the place of this machine's.
  return [findProgram(platform.emulator) ?? platform.emulator, join(folder, loader), '--library-path', folder];
}

/** What it takes to run programs of the other platforms: QEMU's emulator of processors, and Debian's libraries. */
export const emulationJudges: Readonly<Record<string, Judge>> = Object.fromEntries(
  platforms
    .filter((platform) => !isNative(platform))
    .flatMap((platform): [string, Judge][] => [
      [
        platform.emulator,
        {
          ways: [newerDebian('qemu-user', { programs: [platform.emulator] })],
          here: () => findProgram(platform.emulator) !== undefined,
        },
      ],
      [
        `${platform.debian.architecture} libraries`,
        { ways: [() => unpackSystem(platform)], here: () => existsSync(systemOf(platform)) },
      ],
    ]),
);

/** The folder that the libraries for another platform are unpacked in. */
function systemOf({ debian }: Platform): string {
  return join(cache, 'systems', debian.architecture);
}

function isNative({ name }: Platform): boolean {
  return name === `${process.platform}-${process.arch}`;
}

async function unpackSystem(platform: Platform): Promise<void> {
  await mkdir(join(cache, 'systems'), { recursive: true });
  await replaceFolder(systemOf(platform), (fresh) => unpackNewer(libraries, fresh, platform.debian.architecture));
}
