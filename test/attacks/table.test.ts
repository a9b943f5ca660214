import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findings } from '../../lib/kernel/content/model.ts';
import { errorInfo } from '../../lib/kernel/events/errors.ts';
import { answers } from './answers.ts';
import { rows, sectionOf } from './table.ts';

const here = import.meta.dirname;
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts');
// What takes a cluster is tried where there is one.
const sources = [...tests, '../node/owners.test.ts', '../cli/agent-approval.test.ts']
  .map((name) => readFileSync(join(here, name), 'utf8'))
  .join('\n');

test('every attack of the tables in docs/attacks.md has a test of its name, and stands there once', () => {
  const names = rows.map(({ attack }) => attack);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('so has everything that a client of serve may try', () => {
  const names = answers.map(({ attack }) => attack);
  expect(names).toHaveLength(sectionOf('A client of `serve`').match(/^\| (?!attack|---)/gm)?.length ?? 0);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('the codes of the tables are codes of solpack', () => {
  const known = [...Object.keys(errorInfo), ...Object.keys(findings)];
  expect(rows.flatMap(({ codes }) => codes).filter((code) => !known.includes(code))).toEqual([]);
  expect(rows.filter(({ codes }) => codes.length === 0)).toEqual([]);
});
