import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { byteOrder } from '../../formats/bytes.ts';
import { carriers } from '../archives/index.ts';
import { configuredArchives } from '../solutions/configuration.ts';
import { codeOf, unreadable } from '../system-errors.ts';

/** Where archives to serve are looked for. Paths are absolute. */
export interface Sources {
  /** Archives, and folders of archives. */
  readonly archives: readonly string[];
  /** A SolutionsConfiguration. */
  readonly configuration: string | undefined;
}

/** The archives that sources name now: those named one by one, and those found in named folders. */
export interface Wanted {
  readonly named: readonly string[];
  readonly found: readonly string[];
}

/** Finds the archives that sources name now. Throws `configuration-invalid`, `file-unreadable`. */
export async function wantedArchives({ archives, configuration }: Sources): Promise<Wanted> {
  const named: string[] = [];
  const found: string[] = [];
  for (const path of archives) {
    const names = await namesIn(path);
    if (names)
      found.push(
        ...names
          .filter(isArchive)
          .sort(byteOrder)
          .map((name) => join(path, name)),
      );
    else named.push(path);
  }
  if (configuration !== undefined) named.push(...(await configuredArchives(configuration)));
  const all = new Set(named);
  return { named: [...all], found: [...new Set(found)].filter((path) => !all.has(path)) };
}

/** Lists the names in a folder; undefined where the path is no folder, or nothing is there. */
async function namesIn(path: string): Promise<string[] | undefined> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

function isArchive(name: string): boolean {
  return (
    !name.startsWith('.') && Object.values(carriers).some(({ extension }) => name.toLowerCase().endsWith(extension))
  );
}
