import * as fs from 'node:fs/promises';
import { codeOf } from '../events/index.ts';
import { deviceStamp } from './block-device.ts';

/**
 * Changes whenever a file does, or another takes its place, or another medium is put in; undefined where there is none.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const stats = await fs.stat(path, { bigint: true });
    if (stats.isBlockDevice()) return await deviceStamp(stats.rdev);
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    return `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
