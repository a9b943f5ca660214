import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../../../lib/shared/solutions/media/glob.ts';
import { archivesNamed, placeName } from '../../../../../lib/shared/solutions/media/index.ts';
import { scratch } from '../../../../support/judges.ts';

const base = scratch('named');

beforeAll(() => {
  for (const path of ['a/one-1.iso', 'a/one-2.TAR', 'a/.hidden.iso', 'a/notes.txt', 'b/two-1.iso', '[odd].iso']) {
    mkdirSync(join(base, path, '..'), { recursive: true });
    writeFileSync(join(base, path), '');
  }
  mkdirSync(join(base, 'extracted/.solpack'), { recursive: true });
  writeFileSync(join(base, 'extracted/.solpack/root.json'), '{}');
});

describe('an entry of archives names', () => {
  const named = async (entry: string): Promise<string[]> =>
    (await archivesNamed(entry, { base })).places.map((place) => placeName(place).replace(`${base}/`, ''));

  test.each([
    ['absent.iso', ['absent.iso']],
    ['a/one-1.iso', ['a/one-1.iso']],
    ['[odd].iso', ['[odd].iso']],
    ['a', ['a/one-1.iso', 'a/one-2.TAR']],
    ['extracted', ['extracted']],
    ['*/*-1.iso', ['a/one-1.iso', 'b/two-1.iso']],
    ['a/one-[!1].*', ['a/one-2.TAR']],
    ['?/one-[1-9].iso', ['a/one-1.iso']],
    ['a/*.iso', ['a/one-1.iso']],
    ['nowhere/*.iso', []],
    ['a/*.deb', []],
    ['https://ada:secret@host/a*.iso', ['https://***@host/a*.iso']],
    ['https://ada:secret@host/a*.iso?x=y', ['https://***@host/a*.iso?*** (f66451e10638)']],
    ['https://ada:secret@host/a*.iso?x=z', ['https://***@host/a*.iso?*** (228f1b1bb691)']],
  ])('%s', async (entry, expected) => {
    expect(await named(entry)).toEqual(expected);
  });

  test('nothing where it is empty, and not the archives of the folder', async () => {
    await expect(archivesNamed('', { base })).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test('a Solution in a registry only where one can be reached', async () => {
    const entry = 'registry.example.com/solutions/hello:1.0.0';
    await expect(named(entry)).rejects.toMatchObject({ code: 'usage-invalid', subject: entry });
    await expect(named('https://')).rejects.toMatchObject({ code: 'usage-invalid' });
  });
});

describe('a pattern of names', () => {
  test('stands for itself where nothing in it has a meaning, and for all with stars', () => {
    const plain = fc.string().filter((text) => !/[*?[]/.test(text));
    fc.assert(fc.property(plain, (name) => matchesPattern(name, name) && matchesPattern(name, '**')));
    fc.assert(
      fc.property(plain, plain, (a, b) => matchesPattern(`${a}${b}`, `${a}*`) && matchesPattern(`${a}${b}`, `*${b}`)),
    );
  });

  test('takes no more than the time of both, and any brackets', () => {
    expect(matchesPattern('a'.repeat(255), `${'*a'.repeat(120)}b`)).toBe(false);
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ unit: fc.constantFrom('[', ']', '!', '-', '*', '?', 'a') }),
        (name, pattern) => {
          expect(typeof matchesPattern(name, pattern)).toBe('boolean');
        },
      ),
    );
  });
});
