import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMemory, remember } from '../../../lib/trust/index.ts';
import { scratch } from '../../support/judges.ts';

const folder = scratch('memory');
const one = (name: string, sequence: number) => ({ name, sequence, created: sequence, expires: undefined });

test('installs that end at the same time are all remembered, and what they remember only rises', async () => {
  const place = join(folder, 'together');
  const names = Array.from({ length: 20 }, (_, number) => `solution-${number}`);
  await Promise.all(names.flatMap((name) => [3, 1, 2].map((sequence) => remember(place, [one(name, sequence)]))));
  const { newest, sequences } = await readMemory(place);
  expect(newest).toBe(3);
  expect([...sequences].sort()).toEqual(names.map((name) => [name, 3]).sort());
  expect(readdirSync(place)).toEqual(['memory.json']);
});

test('the lock of an install that was killed is taken over', async () => {
  const place = join(folder, 'killed');
  await remember(place, [one('first', 1)]);
  const lock = join(place, 'memory.json.lock');
  writeFileSync(lock, '');
  const then = new Date(Date.now() - 60_000);
  utimesSync(lock, then, then);
  await remember(place, [one('second', 2)]);
  expect([...(await readMemory(place)).sequences.keys()]).toEqual(['first', 'second']);
  expect(readdirSync(place)).toEqual(['memory.json']);
});
