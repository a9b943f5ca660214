import { expect, test } from 'vitest';
import { contentsOf } from '../../../scripts/executable/chunks.ts';

test('all of the sources can be in an executable, which lies nowhere', async () => {
  const { chunks, threads } = await contentsOf();
  expect([chunks.has('main.js'), threads.size > 0]).toEqual([true, true]);
});
