import { expect, test } from 'vitest';
import { changeEveryByte } from './single-bytes.ts';

test('a change of any byte of a tar is found', async () => {
  const { found, exempt } = await changeEveryByte('tar');
  expect(exempt).toBe(0);
  expect(found).toBeGreaterThan(90_000);
}, 600_000);
