import * as fs from 'node:fs/promises';
import { codeOf } from './system-errors.ts';

/** Changes whenever a file does, or another takes its place; undefined where there is none. */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await fs.stat(path, { bigint: true });
    return `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
