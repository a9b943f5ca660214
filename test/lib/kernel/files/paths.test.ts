import { resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, inside, portable } from '../../../../lib/kernel/files/paths.ts';

describe('a path that has to stay in a folder', () => {
  test.for([
    ['a/b', '/root/a/b'],
    ['.', '/root'],
    ['', '/root'],
    ['a/../b', '/root/b'],
    ['..a', '/root/..a'],
    ['.../a', '/root/.../a'],
    ['/root/a', '/root/a'],
  ])('may be %j', ([path, full]) => {
    expect(inside('/root', path!)).toBe(full);
  });

  test.for(['..', '../x', 'a/../../x', '/', '/etc/passwd', '/rootless', '../rootless'])('may not be %j', (path) => {
    expect(() => inside('/root', path)).toThrow(
      expect.objectContaining({ code: 'path-escapes', subject: path, hint: expect.any(String) }),
    );
  });

  test('is below the folder or refused, whatever it is made of', () => {
    const path = fc
      .array(fc.constantFrom('..', '.', 'a', '', '..b', 'root'), { maxLength: 8 })
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(path, (value) => {
        try {
          const full = inside('/root/x', value);
          expect(full === '/root/x' || full.startsWith('/root/x/')).toBe(true);
        } catch {
          expect(`${resolve('/root/x', value)}/`.startsWith('/root/x/')).toBe(false);
        }
      }),
    );
  });
});

test('a folder contains itself and what is below it', () => {
  expect(contains('/a', '/a')).toBe(true);
  expect(contains('/a', '/a/b')).toBe(true);
  expect(contains('/', '/a')).toBe(true);
  expect(contains('/a', '/ab')).toBe(false);
  expect(contains('/a/b', '/a')).toBe(false);
});

test('a path is written with slashes, whatever the system has', () => {
  expect(portable(['a', 'b'].join(sep))).toBe('a/b');
});
