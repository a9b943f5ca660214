import { expect } from 'vitest';
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
