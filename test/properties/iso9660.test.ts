import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memory } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { layoutImage } from '../../formats/iso9660/layout.ts';
import { openImage } from '../../formats/iso9660/read.ts';
import {
  contentOf,
  entriesOf,
  type Given,
  givenSnapshot,
  imageOf,
  options,
  readSnapshot,
} from '../formats/iso9660/image.ts';

const namespaces = ['rock-ridge', 'joliet', 'plain'] as const;
const settings = { seed: 9660, numRuns: 300 };

const sound = imageOf([
  { path: 'a', content: 'a' },
  { path: 'b', content: 'b'.repeat(3000), mode: 0o755 },
  { path: 'copy', content: 'a' },
  { path: 'empty' },
  { path: 'n'.repeat(253), content: 'n' },
  { path: 'd/e/f', content: 'f' },
  { path: `d/${'0123456789abcdef'.repeat(4)}`, content: 'hex' },
  { path: 'd/é🚀', content: 'u' },
]);
/** The padding at the end is of no interest: nothing points there. */
const structures = sound.length - 150 * 2048 - 32_768;

/** Reads all there is. Gives a refusal, or undefined where there was none; all else is thrown. */
async function refusal(image: Buffer, namespace?: (typeof namespaces)[number]): Promise<FormatError | undefined> {
  try {
    const tree = await openImage(memory(image), namespace ? { namespace } : {});
    for await (const entry of tree.walk()) {
      expect((await contentOf(image, entry)).length).toBe(entry.size);
      expect(await tree.lookup(entry.path)).toEqual(entry);
    }
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

const flips = fc.array(fc.tuple(fc.nat(structures - 1), fc.integer({ min: 1, max: 255 })), {
  minLength: 1,
  maxLength: 4,
});

test('an image with flipped bytes is read, or refused with a reason', async () => {
  const check = fc.asyncProperty(flips, fc.constantFrom(...namespaces), async (changes, namespace) => {
    const image = Buffer.from(sound);
    for (const [at, bits] of changes) image[32_768 + at]! ^= bits;
    const error = await refusal(image, namespace);
    if (error) expect(error.message).not.toMatch(/undefined|NaN|\n/);
  });
  await fc.assert(check, settings);
});

test('an image with bytes of its own elsewhere is read, or refused with a reason', async () => {
  const span = fc.tuple(fc.nat(structures - 1), fc.nat(structures - 1), fc.integer({ min: 1, max: 300 }));
  const check = fc.asyncProperty(span, fc.constantFrom(...namespaces), async ([from, to, length], namespace) => {
    const image = Buffer.from(sound);
    sound.copy(image, 32_768 + to, 32_768 + from, 32_768 + from + length);
    await refusal(image, namespace);
  });
  await fc.assert(check, settings);
});

test('an image that ends early is refused with a reason, or lacks its padding alone', async () => {
  const check = fc.asyncProperty(fc.nat(32_768 + structures), async (length) => {
    const error = await refusal(sound.subarray(0, length));
    // The last content has one byte: with that, all is there.
    if (length <= 32_768 + structures - 2048) expect(error).toBeInstanceOf(FormatError);
  });
  await fc.assert(check, settings);
});

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
    expect(await readSnapshot(image, await openImage(memory(image)))).toEqual(expected);
    for (const namespace of ['joliet', 'plain'] as const) {
      const found = await readSnapshot(image, await openImage(memory(image), { namespace }));
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
      segments.map((one) => (one.kind === 'meta' ? Buffer.from(one.bytes()) : one));
    expect(meta(b)).toEqual(meta(a));
  });
  fc.assert(check, { ...settings, numRuns: 100 });
});
