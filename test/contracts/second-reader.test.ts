import { expect, test } from 'vitest';
import { makeGood } from '../support/vectors/good.ts';
import { writeVectorKeys } from '../support/vectors/keys.ts';
import { mkdirSync, rmSync } from 'node:fs';
test('try', { timeout: 300000 }, async () => {
  const f = '/tmp/rd/vec';
  rmSync(f, { recursive: true, force: true });
  mkdirSync(f, { recursive: true });
  writeVectorKeys(f);
  const v = await makeGood(f);
  console.log(JSON.stringify(v, null, 1));
  expect(v.length).toBe(14);
});
