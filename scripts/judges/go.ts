import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bin } from '../home.ts';
import { execute, present, tell, type Way } from './shell.ts';

/** Builds a Go program of a fixed version. Go checks its sources by the public checksum database. */
export function go(program: string): Way {
  return async () => {
    if (!present('go')) throw new Error('needs Go');
    tell(`building ${program} with Go: about three minutes on 2 cores, here are ${availableParallelism()}`);
    await execute('go', ['install', program], { env: { ...process.env, GOBIN: bin } });
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
