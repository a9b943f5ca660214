import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { writeTogether } from '../../../../lib/flows/update/write-together.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('write-together');

function place(name: string): { home: string; definition: string; lock: string } {
  const home = join(folder, name);
  mkdirSync(home);
  const definition = join(home, 'solution.toml');
  writeFileSync(definition, 'old');
  return { home, definition, lock: join(home, 'solution.lock') };
}

const file = (path: string, before: string | undefined, bytes: string) => ({
  path,
  before: before === undefined ? undefined : utf8(before),
  bytes: utf8(bytes),
  mode: 0o644,
});

test('both files are written, and nothing else', async () => {
  const { home, definition, lock } = place('both');
  await writeTogether([file(definition, 'old', 'new'), file(lock, undefined, 'locked')]);
  expect([definition, lock].map((path) => readFileSync(path, 'utf8'))).toEqual(['new', 'locked']);
  expect(readdirSync(home).sort()).toEqual(['solution.lock', 'solution.toml']);
});

test('the first file has its earlier bytes again if the second cannot get its name', async () => {
  const { home, definition, lock } = place('second');
  // A folder with that name is found when the file is to replace it.
  mkdirSync(join(lock, 'in the way'), { recursive: true });
  const wanted = [file(definition, 'old', 'new'), file(lock, undefined, 'locked')];
  await expect(writeTogether(wanted)).rejects.toMatchObject({ subject: lock });
  expect(readFileSync(definition, 'utf8')).toBe('old');
  expect(readdirSync(home).sort()).toEqual(['solution.lock', 'solution.toml']);
});

test('nothing is written if somebody has changed a file meanwhile', async () => {
  const { home, definition, lock } = place('meanwhile');
  const wanted = [file(definition, 'older', 'new'), file(lock, undefined, 'locked')];
  await expect(writeTogether(wanted)).rejects.toMatchObject({ code: 'output-unwritable' });
  expect(readFileSync(definition, 'utf8')).toBe('old');
  expect(readdirSync(home)).toEqual(['solution.toml']);
});
