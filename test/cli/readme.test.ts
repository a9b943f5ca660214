import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { solpack } from '../support/cli.ts';
import { judged, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const cwd = scratch('readme');

judged('the definition in the README is closed: it comes up in a cluster that has nothing yet', ['helm'], async () => {
  const [, definition] = /```toml\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!;
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), cwd, { recursive: true });
  writeFileSync(join(cwd, 'solution.toml'), definition!);
  const { code, stdout } = await solpack(['check'], { cwd });
  expect([stdout.split('\n')[0], code]).toEqual(['closed guestbook 1.1.0', 0]);
});
