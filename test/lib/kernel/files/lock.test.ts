import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type HeldFolder, holdFolder } from '../../../../lib/kernel/files/held-folder.ts';
import { alone, takeLock } from '../../../../lib/kernel/files/lock.ts';
import { ownRun } from '../../../../lib/kernel/machine/runs.ts';
import { ok, scratch } from '../../../support/judges.ts';
import { startRival } from '../../../support/lock-rival.ts';
import { giveAway, neighbourTest } from '../../../support/neighbour.ts';

const folder = scratch('lock');
const at = (name: string): string => join(folder, name);
const work = async (): Promise<string> => 'done';

/** The name of a run that has ended. */
function ended(): string {
  const source = `import { ownRun } from '${import.meta.dirname}/../../../../lib/kernel/machine/runs.ts'; process.stdout.write(ownRun());`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source]).stdout.toString();
}

/** Starts a process that takes a lock and keeps it; `before` are the words of a command that starts it. */
async function holder(path: string, before: readonly string[] = []): Promise<ChildProcess> {
  const lib = join(import.meta.dirname, '../../../../lib/kernel/files');
  const source = `import { holdFolder } from '${lib}/held-folder.ts'; import { takeLock } from '${lib}/lock.ts';
    await takeLock(await holdFolder('${dirname(path)}'), '${path.slice(dirname(path).length + 1)}', { patience: 0 });
    process.stdout.write('held'); setInterval(() => {}, 1000);`;
  const [program = '', ...args] = [...before, process.execPath, '--input-type=module', '-e', source];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

test('a lock is free at once when its holder is killed, and leaves nothing behind', async () => {
  mkdirSync(at('killed'));
  const child = await holder(at('killed/lock'));
  await expect(alone(at('killed/lock'), work, 50)).rejects.toMatchObject({
    code: 'output-unwritable',
    subject: at('killed/lock'),
    message: `process ${child.pid} holds this lock`,
  });
  await kill(child);
  expect(readdirSync(at('killed'))).toHaveLength(2);
  expect(await alone(at('killed/lock'), work, 60_000)).toBe('done');
  expect(readdirSync(at('killed'))).toEqual([]);
});

test('a lock that is over is taken by one of two, whatever the moment at which the other comes', async () => {
  const run = ended();
  const outcomes = new Set<string>();
  for (let step = 1; ; step += 1) {
    const place = at(`race-${step}`);
    mkdirSync(place);
    symlinkSync(`lock.${run}.00000000`, join(place, 'lock'));
    await using rival = await startRival(place);
    await using folder = await holdFolder(place);
    let steps = 0;
    // A system call follows each of these.
    const stepwise: HeldFolder = {
      ...folder,
      at: (name) => {
        steps += 1;
        if (steps === step) rival.takeNow();
        return folder.at(name);
      },
    };
    const lock = await takeLock(stepwise, 'lock', { patience: 50 }).catch(() => undefined);
    if (steps < step) break;
    expect([step, Number(lock !== undefined) + Number(rival.holds())]).toEqual([step, 1]);
    outcomes.add(lock ? 'first' : 'rival');
    await lock?.release();
  }
  expect([...outcomes].sort()).toEqual(['first', 'rival']);
});

test('of many that find a lock that is over, one after the other takes it', async () => {
  const run = ended();
  for (let round = 0; round < 5; round += 1) {
    symlinkSync(`over.${run}.00000000`, at('over'));
    let under = 0;
    const enter = async (): Promise<void> => {
      under += 1;
      expect(under).toBe(1);
      // Clock: others get a chance to enter as well.
      await new Promise((settle) => setTimeout(settle, 1));
      under -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => alone(at('over'), enter)));
  }
});

test('work under one lock is never done by two at once', async () => {
  let under = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      alone(at('shared'), async () => {
        under += 1;
        expect(under).toBe(1);
        expect(readlinkSync(at('shared'))).toContain(ownRun());
        // Clock: others get a chance to enter as well.
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

test('a lock of a run that holds it for long is reported, and stays', async () => {
  writeFileSync(at('held'), ownRun());
  await expect(alone(at('held'), work, 100)).rejects.toMatchObject({
    code: 'output-unwritable',
    subject: at('held'),
    message: `process ${process.pid} holds this lock`,
  });
  expect(readFileSync(at('held'), 'utf8')).toBe(ownRun());
});

test('a lock that is made anew again and again is not waited for without end', async () => {
  // Clock: somebody else does so again and again.
  const again = setInterval(() => writeFileSync(at('anew'), ownRun()), 20);
  writeFileSync(at('anew'), ownRun());
  await expect(alone(at('anew'), work, 100)).rejects.toMatchObject({ code: 'output-unwritable' });
  clearInterval(again);
});

test('what is no file in the place of a lock is reported at once, and stays', async () => {
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

neighbourTest('a lock that is held in another container is waited for, and free when that ends', async () => {
  mkdirSync(at('container'));
  const child = await holder(at('container/lock'), ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']);
  const failure = { code: 'output-unwritable', message: 'another process holds this lock' };
  await expect(alone(at('container/lock'), work, 100)).rejects.toMatchObject(failure);
  await kill(child);
  expect(await alone(at('container/lock'), work, 100)).toBe('done');
});

neighbourTest('a file system without sockets has locks as well', async () => {
  const path = '/sys/kernel/solpack.lock';
  const child = await holder(path);
  await expect(alone(path, work, 50)).rejects.toMatchObject({ message: 'another process holds this lock' });
  await kill(child);
  expect(await alone(path, work, 60_000)).toBe('done');
});
