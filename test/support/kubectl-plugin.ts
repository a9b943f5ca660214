import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../formats/shell-word.ts';
import { solpackWords } from './under-test.ts';

/**
 * Puts solpack into a folder under another name, as a program. The file of a package is one only once npm has
 * installed it.
 */
export function solpackNamed(name: string, folder: string): void {
  const [program, script] = solpackWords;
  mkdirSync(join(folder, 'links'), { recursive: true });
  if (script === undefined) {
    symlinkSync(program, join(folder, name));
    return;
  }
  const link = join(folder, 'links', name);
  symlinkSync(script, link);
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${shellWord(program)} ${shellWord(link)} "$@"\n`, { mode: 0o755 });
}
