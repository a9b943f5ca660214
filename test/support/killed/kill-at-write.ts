// Ends its process by SIGKILL before or after it changes a name on the disk; loaded before a program:
//   node --import kill-at-write.ts PROGRAM
// SOLPACK_TEST_KILL_WRITE is the number of that change; each counts twice, since it may be killed before it and after it.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const at = Number(process.env['SOLPACK_TEST_KILL_WRITE']);
let count = 0;

function passed(): void {
  count += 1;
  if (count === at) process.kill(process.pid, 'SIGKILL');
}

const changes: Record<string, unknown> = fs as never;
for (const name of ['mkdir', 'rename', 'unlink', 'rmdir']) {
  const change = changes[name] as (...words: unknown[]) => Promise<unknown>;
  changes[name] = async (...words: unknown[]) => {
    passed();
    const result = await change(...words);
    passed();
    return result;
  };
}
syncBuiltinESMExports();
