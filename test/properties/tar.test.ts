import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteOrder, memory } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { openTar, sniffTar } from '../../formats/tar/read.ts';
import { archive, entry, listTree, packTar, seal } from '../support/tar.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 150 })
  .filter((text) => text.isWellFormed() && !/[/\0]/.test(text) && text !== '.' && text !== '..');
const files = fc
  .uniqueArray(fc.tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.uint8Array({ maxLength: 1200 })), {
    selector: ([names]) => names[0]!,
    maxLength: 8,
  })
  .map((list) => new Map(list.map(([names, bytes]) => [names.join('/'), bytes])));

test('what is written is read back, whatever the names', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (wanted) => {
      const bytes = packTar(wanted);
      const tree = await openTar(memory(bytes));
      expect(tree.end).toBe(bytes.length);
      const found = (await listTree(tree)).filter((one) => one.type === 'file');
      expect(found.map((one) => one.path).sort(byteOrder)).toEqual([...wanted.keys()].sort(byteOrder));
      for (const { path, extents } of found) {
        const parts = extents.map(({ offset, size }) => bytes.subarray(offset, offset + size));
        expect(Buffer.concat(parts).equals(wanted.get(path)!)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

const sample = archive(
  entry('pax', { type: 'x', body: '30 path=a/name/from/a/record\n\n' }),
  entry('a', { body: 'hello' }),
  entry('././@LongLink', { type: 'L', body: `${'l'.repeat(200)}\0` }),
  entry('short', { body: 'x'.repeat(600) }),
  entry('dir', { type: '5' }),
  entry('dir/hard', { type: '1', link: 'l'.repeat(90) }),
  entry('dir/soft', { type: '2', link: '../a' }),
);
const valid = packTar(
  new Map([
    ['a', Buffer.from('x')],
    [`${'n'.repeat(120)}/ü`, Buffer.alloc(700)],
    ['c', Buffer.alloc(0)],
  ]),
);

/** Damage anywhere; with `sealed`, the checksums are made right again, so that it reaches the parsers behind them. */
const damage = fc.record({
  edits: fc.array(fc.tuple(fc.nat({ max: 8191 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
  length: fc.option(fc.nat({ max: 8192 })),
  sealed: fc.boolean(),
});

for (const [title, original] of [
  ['other programs', sample],
  ['this writer', valid],
] as const) {
  test(`a damaged archive of ${title} ends in a FormatError or a sound tree`, async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ edits, length, sealed }) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        if (sealed)
          for (let at = 0; at + 512 <= bytes.length - 1024; at += 512)
            if (bytes.includes('ustar', at + 257)) seal(bytes.subarray(at, at + 512));
        const cut = bytes.subarray(0, length ?? bytes.length);
        sniffTar(cut);
        try {
          const tree = await openTar(memory(cut));
          expect(tree.end).toBeLessThanOrEqual(cut.length);
          for (const { path, extents, size } of await listTree(tree)) {
            expect(path.split('/')).not.toContain('..');
            expect(extents.reduce((total, extent) => total + extent.size, 0)).toBe(size);
            for (const extent of extents) expect(extent.offset + extent.size).toBeLessThanOrEqual(tree.end - 1024);
          }
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
}
