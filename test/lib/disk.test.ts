import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freeSpace } from '../../lib/disk.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('disk');

test('free space is known of folders that exist', async () => {
  expect(await freeSpace(folder)).toBeGreaterThan(0);
  await expect(freeSpace(join(folder, 'absent'))).rejects.toMatchObject({ code: 'output-unwritable' });
});
