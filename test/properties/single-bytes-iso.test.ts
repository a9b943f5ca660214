import { expect, test } from 'vitest';
import { changeEveryByte } from './single-bytes.ts';

test('a change of any byte of an ISO is found, but for the 512 that implantisomd5 may use', async () => {
  const { found, exempt } = await changeEveryByte('iso');
  expect(exempt).toBe(512);
  expect(found).toBeGreaterThan(400_000);
}, 600_000);
