import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { SolpackError } from './errors.ts';

/** Folders in which programs are searched, in order. */
export interface Host {
  /** Folders that programs are looked for in, in order. */
  readonly path: readonly string[];
  /** A folder for temporary files. */
  readonly temp: string;
}

/** Returns the full path of the program `name`. Throws `tool-missing` with `hint`. */
export async function findTool(host: Host, name: string, hint: string): Promise<string> {
  for (const folder of host.path) {
    const path = join(folder, name);
    const usable = await fs.access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable && (await fs.stat(path)).isFile()) return path;
  }
  throw new SolpackError('tool-missing', name, 'not found on PATH', { hint });
}

/** Splits a PATH variable into its folders. */
export function pathFolders(variable: string | undefined): string[] {
  return (variable ?? '').split(delimiter).filter((folder) => folder !== '');
}
