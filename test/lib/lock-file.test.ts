import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alone } from '../../lib/lock-file.ts';
import { ownRun } from '../../lib/runs.ts';
import { ok, scratch } from '../support/judges.ts';
import { giveAway, neighbourTest } from '../support/neighbour.ts';

const folder = scratch('lock-file');
const at = (name: string): string => join(folder, name);
const work = async (): Promise<string> => 'done';

/** The name of a run that has ended. */
function ended(): string {
  const source = `import { ownRun } from '${import.meta.dirname}/../../lib/runs.ts'; process.stdout.write(ownRun());`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source]).stdout.toString();
}

test('work under one lock is never done by two at once', async () => {
  let under = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      alone(at('shared'), async () => {
        under += 1;
        expect(under).toBe(1);
        expect(readFileSync(at('shared'), 'utf8')).toBe(ownRun());
        await new Promise((settle) => setTimeout(settle, 1));
        under -= 1;
      }),
    ),
  );
  expect(existsSync(at('shared'))).toBe(false);
});

test.each([
  ['of a run that has ended is taken over at once, whatever its date', ended(), 60_000],
  ['that tells nothing is taken over once it was waited for, whatever its date', '', 200],
  ['of a run on another machine is taken over once it was waited for', '1-1-00000000', 200],
])('a lock %s', async (name, text, patience) => {
  for (const seconds of [-86_400, 86_400 * 365 * 100]) {
    writeFileSync(at(name), text, { mode: 0o600 });
    const date = new Date(Date.now() + seconds * 1000);
    utimesSync(at(name), date, date);
    expect(await alone(at(name), work, patience)).toBe('done');
    expect(existsSync(at(name))).toBe(false);
  }
});

test('a lock of a run that holds it for long is told, and stays', async () => {
  writeFileSync(at('held'), ownRun());
  await expect(alone(at('held'), work, 100)).rejects.toMatchObject({
    code: 'output-unwritable',
    subject: at('held'),
    message: `process ${process.pid} holds this lock`,
  });
  expect(readFileSync(at('held'), 'utf8')).toBe(ownRun());
});

test('a lock that is made anew again and again is not waited for without end', async () => {
  const again = setInterval(() => writeFileSync(at('anew'), ownRun()), 20);
  writeFileSync(at('anew'), ownRun());
  await expect(alone(at('anew'), work, 100)).rejects.toMatchObject({ code: 'output-unwritable' });
  clearInterval(again);
});

test('what is no file in the place of a lock is told at once, and stays', async () => {
  mkdirSync(at('folder'));
  symlinkSync('nowhere', at('link'));
  await ok('mkfifo', [at('pipe')]);
  for (const name of ['folder', 'link', 'pipe']) {
    await expect(alone(at(name), work, 60_000)).rejects.toMatchObject({ code: 'output-unwritable', subject: at(name) });
    expect(existsSync(at(name)) || name === 'link').toBe(true);
  }
});

neighbourTest('a lock of another user is waited for, and never taken over', async () => {
  mkdirSync(at('common'));
  chmodSync(at('common'), 0o1777);
  const lock = at('common/lock');
  writeFileSync(lock, ended());
  giveAway(lock);
  await expect(alone(lock, work, 100)).rejects.toMatchObject({ message: 'this lock belongs to user 65534' });
  expect(existsSync(lock)).toBe(true);
});
