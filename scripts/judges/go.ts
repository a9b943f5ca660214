import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { bin, replaceFolder, sharedCache } from '../home.ts';
import { execute, present, tell, type Way } from './shell.ts';

/**
 * Builds a Go program of a fixed version, once for all clones on this machine. Go checks its sources by the public
 * checksum database.
 */
export function go(program: string): Way {
  return async () => {
    const built = join(sharedCache(), 'judges', program.replaceAll('/', '+'));
    if (!existsSync(built)) {
      if (!present('go')) throw new Error('needs Go');
      tell(`building ${program} with Go: about three minutes on 2 cores, here are ${availableParallelism()}`);
      await mkdir(dirname(built), { recursive: true });
      await replaceFolder(built, async (fresh) => {
        await execute('go', ['install', program], { env: { ...process.env, GOBIN: fresh } });
      });
    }
    for (const name of await readdir(built)) await copyFile(join(built, name), join(bin, name));
  };
}

/**
 * Builds the small Go program in the folder `name` beside this file, whose modules are pinned by version and checksum.
 */
export function goHere(name: string): Way {
  return async () => {
    if (!present('go')) throw new Error('needs Go');
    await execute('go', ['build', '-trimpath', '-o', join(bin, name), '.'], { cwd: join(import.meta.dirname, name) });
  };
}
