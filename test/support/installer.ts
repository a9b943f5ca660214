import { platformHere } from '../../lib/kernel/events/host.ts';
import { writeFiles } from './cli.ts';
import { elfMachines, tinyElf } from './elf.ts';

/** The platforms that installers are made for here, this machine's first. */
export const here: string = platformHere();
export const elsewhere: string = here === 'linux/amd64' ? 'linux/arm64' : 'linux/amd64';

/** Returns the folder of a platform: `linux-amd64`. */
export function folderOf(platform: string): string {
  return platform.replace('/', '-');
}

/** Writes programs for both platforms below `folder`, which end at once, as `--installer-from` takes them. */
export function writePrograms(folder: string, seed = ''): void {
  for (const platform of [here, elsewhere]) {
    const machine = elfMachines[platform === 'linux/amd64' ? 'amd64' : 'arm64'];
    const programs = ['solpack', 'helm', 'kubectl'].map((name) => [
      `${folderOf(platform)}/${name}`,
      tinyElf(`${name} for ${platform}${seed}`, { machine }),
    ]);
    writeFiles(folder, Object.fromEntries(programs));
  }
}
