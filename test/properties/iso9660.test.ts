import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memory } from '../../formats/bytes.ts';
import { layoutImage } from '../../formats/iso9660/layout.ts';
import { openIsoImage } from '../../formats/iso9660/read.ts';
import { entriesOf, type Given, givenSnapshot, imageOf, options, readSnapshot } from '../formats/iso9660/image.ts';

const settings = { seed: 9660, numRuns: 300 };

/** Names that clash in case, in what identifiers can hold, and in where they are cut. */
const name = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'A', 'b', '.', ';', '_', '~', '1', 'é', 'É', '🚀', '\\'),
    minLength: 1,
    maxLength: 6,
  }),
  fc.string({ unit: fc.constantFrom('x', 'X'), minLength: 28, maxLength: 33 }),
  fc
    .tuple(fc.constantFrom('y', 'é', '🚀'), fc.integer({ min: 50, max: 63 }))
    .map(([unit, count]) => unit.repeat(count)),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
);
const usable = (value: string) => !/^\.{0,2}$|[/\0]/.test(value);
const path = fc.array(name.filter(usable), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const tree = fc.uniqueArray(path, { maxLength: 30 }).map((paths): Given[] => {
  const folders = new Set(paths.flatMap((one) => [...one.matchAll(/\//g)].map(({ index }) => one.slice(0, index))));
  return paths.filter((one) => !folders.has(one)).map((one, at) => ({ path: one, content: `${at % 7}` }));
});

test('what is written is read, in every tree with as many names', async () => {
  const check = fc.asyncProperty(tree, async (files) => {
    const image = imageOf(files);
    const expected = givenSnapshot(files);
    expect(await readSnapshot(image, await openIsoImage(memory(image)))).toEqual(expected);
    for (const namespace of ['joliet', 'plain'] as const) {
      const found = await readSnapshot(image, await openIsoImage(memory(image), { namespace }));
      expect(Object.values(found).sort()).toEqual(Object.values(expected).sort());
      const folded = new Set(Object.keys(found).map((one) => one.toLowerCase()));
      expect(folded.size).toBe(Object.keys(expected).length);
    }
  });
  await fc.assert(check, { ...settings, numRuns: 150 });
});

test('the structures do not depend on the order of the files', async () => {
  const both = tree.chain((files) =>
    fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
  );
  const check = fc.property(both, ([files, shuffled]) => {
    const keyed = (list: Given[]) => entriesOf(list).map((entry) => ({ ...entry, key: 'one', size: 1 }));
    const [a, b] = [layoutImage(keyed(files), options), layoutImage(keyed(shuffled), options)];
    const meta = ({ segments }: typeof a) =>
      [...segments].map((one) => (one.kind === 'meta' ? Buffer.from(one.bytes()) : one));
    expect(meta(b)).toEqual(meta(a));
  });
  fc.assert(check, { ...settings, numRuns: 100 });
});
