import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Remembered } from '../../lib/parts/trust/memory.ts';

/** The file in which a folder remembers. */
export function memoryPathIn(folder: string): string {
  return join(folder, 'memory.json');
}

/** Lets a folder remember Solutions, and mends that were applied. */
export function setMemory(
  folder: string,
  solutions: Readonly<Record<string, Remembered>>,
  mends: readonly string[] = [],
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(memoryPathIn(folder), JSON.stringify({ stateVersion: 2, solutions, mends }));
}
