import { expect, test } from 'vitest';
import { reasonOf, unwritable } from '../../../../lib/kernel/events/system-errors.ts';

test('a full disk is told apart from a place that cannot be written', () => {
  const failed = (code: string): Error => Object.assign(new Error('failed'), { code });
  expect(unwritable('/a', failed('ENOSPC'))).toMatchObject({ code: 'disk-full', exit: 6 });
  expect(unwritable('/a', failed('EROFS'))).toMatchObject({
    code: 'output-unwritable',
    message: 'read-only file system',
  });
  const other = failed('EODD');
  expect(unwritable('/a', other)).toBe(other);
  expect(reasonOf(other)).toBe('failed');
  expect(reasonOf('text')).toBe('text');
});
