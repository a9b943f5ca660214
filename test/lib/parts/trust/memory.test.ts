import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMemory, remember } from '../../../../lib/parts/trust/index.ts';
import { scratch } from '../../../support/judges.ts';
import { giveAway, neighbourTest } from '../../../support/neighbour.ts';

const folder = scratch('memory');
const one = (name: string, sequence: number) => ({ name, sequence, created: sequence });

test('installs that end at the same time are all remembered, and what they remember only rises', async () => {
  const place = join(folder, 'together');
  const names = Array.from({ length: 20 }, (_, number) => `solution-${number}`);
  await Promise.all(names.flatMap((name) => [3, 1, 2].map((sequence) => remember(place, [one(name, sequence)]))));
  const { solutions } = await readMemory(place);
  expect([...solutions].sort()).toEqual(names.map((name) => [name, { sequence: 3, newest: 3 }]).sort());
  expect(readdirSync(place)).toEqual(['memory.json']);
});

test('the lock of an install that was killed is taken over', async () => {
  const source = `import { ownRun } from '${import.meta.dirname}/../../../../lib/kernel/machine/runs.ts'; process.stdout.write(ownRun());`;
  const place = join(folder, 'killed');
  await remember(place, [one('first', 1)]);
  const lock = join(place, 'memory.json.lock');
  writeFileSync(lock, spawnSync(process.execPath, ['--input-type=module', '-e', source]).stdout);
  await remember(place, [one('second', 2)]);
  expect([...(await readMemory(place)).solutions.keys()]).toEqual(['first', 'second']);
  expect(readdirSync(place)).toEqual(['memory.json']);
});

test('what releases before remembered keeps its sequences; its one date for all counts for nobody', async () => {
  const place = join(folder, 'before');
  mkdirSync(place);
  const path = join(place, 'memory.json');
  const before = '{"stateVersion":1,"newest":5869583999,"sequences":{"first":7,"second":2}}';
  writeFileSync(path, before);
  await remember(
    place,
    [one('first', 6)].map((solution) => ({ ...solution, created: undefined })),
  );
  expect(readFileSync(path, 'utf8')).toBe(before);
  await remember(place, [one('second', 3)]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    stateVersion: 2,
    solutions: { first: { sequence: 7 }, second: { sequence: 3, newest: 3 } },
  });
});

neighbourTest('what others may have changed is not relied on by root', async () => {
  const place = join(folder, 'theirs');
  const memory = join(place, 'memory.json');
  await remember(place, [one('first', 2)]);
  const refusal = (subject: string) => ({ code: 'trust-state-invalid', subject });
  chmodSync(memory, 0o666);
  await expect(readMemory(place)).rejects.toMatchObject(refusal(memory));
  chmodSync(memory, 0o644);
  chmodSync(place, 0o777);
  await expect(remember(place, [one('first', 1)])).rejects.toMatchObject(refusal(place));
  chmodSync(place, 0o755);
  giveAway(place);
  await expect(readMemory(place)).rejects.toMatchObject(refusal(place));
});
