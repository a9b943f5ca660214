import { expect, test } from 'vitest';
import { isExhaustive } from '../support/sample.ts';
import { changeBytes } from './single-bytes.ts';

test('a change of a byte of a tar is found', async () => {
  const { found, exempt } = await changeBytes('tar');
  expect(exempt).toBe(0);
  expect(found).toBeGreaterThan(isExhaustive ? 90_000 : 9_000);
}, 600_000);
