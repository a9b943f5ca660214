import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from './executions.ts';

/** Writes the input of an execution into a file below `folder`, and returns its path. */
export function keep(
  folder: string,
  seed: number,
  execution: number,
  { target, sample, bytes }: Pick<Found, 'target' | 'sample' | 'bytes'>,
): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${seed}-${execution}-${target}-${sample}`);
  writeFileSync(path, bytes);
  return path;
}
