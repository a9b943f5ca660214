import { expect, test } from 'vitest';
import { solpackHere } from '../support/here.ts';
import { judged, run, scratch } from '../support/judges.ts';
import { solpackQuoted } from '../support/under-test.ts';

const cwd = scratch('cli-main');

judged('a working directory that no longer exists is told of, whatever is asked for', ['bash'], async () => {
  for (const command of ['', 'doctor', 'ls ../good.iso']) {
    const script = `mkdir gone && cd gone && rmdir ../gone && ${solpackQuoted} ${command}`;
    const { code, stderr } = await run('bash', ['-c', script], { cwd });
    expect([code, stderr.split('\n').filter((line) => line.startsWith('solpack'))]).toEqual([
      2,
      ['solpack: the working directory no longer exists; change to another folder [file-missing]'],
    ]);
  }
});

test('an argument with a NUL character, which only a program can pass, is refused in one line', async () => {
  const { code, stderr } = await solpackHere(['inspect', 'a\0b.iso', '--quiet'], { cwd });
  expect([code, stderr]).toEqual([
    2,
    'solpack: argument 2: has a NUL character, which cannot stand here; leave it out [usage-invalid]\n',
  ]);
});
