import * as fs from 'node:fs/promises';
import { SolpackError } from '../events/index.ts';

/**
 * Makes sure that the file `output` is none of `inputs`, by whatever name: what takes its place would be all that is
 * left of it. Paths are absolute, and need not lead to a file. Throws `usage-invalid`.
 */
export async function requireNoInput(output: string, inputs: readonly string[]): Promise<void> {
  const written = await fileAt(output);
  if (written === undefined) return;
  for (const input of inputs) {
    if ((await fileAt(input)) !== written) continue;
    throw new SolpackError('usage-invalid', output, `is ${input}, which is read for it and would be lost`, {
      hint: 'name another file to write',
    });
  }
}

/** Identifies a file of this machine, whatever path leads to it; undefined if it is not a file. */
async function fileAt(path: string): Promise<string | undefined> {
  const stats = await fs.stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
}
