import { expect, test } from 'vitest';
import { isExhaustive } from '../support/sample.ts';
import { changeBytes } from './single-bytes.ts';

test('a change of a byte of an ISO is found, but for the 512 that implantisomd5 may use', async () => {
  const { found, exempt } = await changeBytes('iso');
  expect(exempt).toBe(512);
  expect(found).toBeGreaterThan(isExhaustive ? 400_000 : 40_000);
}, 600_000);
