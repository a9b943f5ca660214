import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
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
  return isNative(platform) ? [] : [findProgram(platform.emulator) ?? platform.emulator, '-L', systemOf(platform)];
}

/** What it takes to run programs of the other platforms: QEMU's emulator of processors, and Debian's libraries. */
export const emulationJudges: Readonly<Record<string, Judge>> = Object.fromEntries(
  platforms
    .filter((platform) => !isNative(platform))
    .flatMap((platform): [string, Judge][] => [
      [
        platform.emulator,
        {
          ways: [newerDebian(platform.emulator, 'qemu-user')],
          here: () => findProgram(platform.emulator) !== undefined,
        },
      ],
      [
        `libraries for ${platform.debian}`,
        { ways: [() => unpackSystem(platform)], here: () => existsSync(systemOf(platform)) },
      ],
    ]),
);

/** The folder that a program of another platform finds its libraries in, as if it were the root. */
export function systemOf({ debian }: Platform): string {
  return join(cache, 'systems', debian);
}

function isNative({ name }: Platform): boolean {
  return name === `${process.platform}-${process.arch}`;
}

async function unpackSystem(platform: Platform): Promise<void> {
  await mkdir(join(cache, 'systems'), { recursive: true });
  await replaceFolder(systemOf(platform), async (fresh) => {
    await unpackNewer(libraries, fresh, platform.debian);
    // Debian's packages leave these links to the one that sets a system up.
    for (const name of ['lib', 'lib64']) {
      if (!existsSync(join(fresh, name))) await symlink(`usr/${name}`, join(fresh, name));
    }
  });
}
