import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executableName, platforms } from './platforms.ts';

/**
 * Returns the licences of all that is in the executables of a folder, which this machine's own one prints. Throws where
 * one is missing, and where none is for this machine.
 */
export async function licensesOfBuilt(folder: string): Promise<string> {
  for (const platform of platforms) {
    const path = join(folder, executableName(platform));
    if (!existsSync(path)) throw new Error(`${path} is missing; "npm run build:bin" makes it`);
  }
  const here = platforms.find(({ name }) => name === `${process.platform}-${process.arch}`);
  if (!here) throw new Error(`this works on ${platforms.map(({ name }) => name).join(' and ')} alone`);
  const own = join(folder, executableName(here));
  const { stdout } = await promisify(execFile)(own, ['--licenses'], { env: {}, maxBuffer: 2 ** 24 });
  return stdout;
}
