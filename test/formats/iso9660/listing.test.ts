import { describe, expect, test } from 'vitest';
import { BytePool } from '../../../formats/iso9660/byte-pool.ts';
import { DirectoryListing } from '../../../formats/iso9660/listing.ts';
import { NumberList } from '../../../formats/iso9660/number-list.ts';
import { overlapCheck } from '../../../formats/iso9660/overlap.ts';

const name = (value: string): Uint8Array => Buffer.from(value);

function listingOf(names: readonly string[]): DirectoryListing {
  const listing = new DirectoryListing();
  for (const one of names) listing.add({ type: 'other', name: name(one), mode: 0o640 });
  expect(listing.finish()).toBe(undefined);
  return listing;
}

describe('a listing', () => {
  test('gives back each kind of node as it was added', () => {
    const listing = new DirectoryListing();
    const extents = [
      { offset: 2048 * 5, size: 4096 },
      { offset: 2048 * 4_000_000_000, size: 0xffff_f800 },
    ];
    listing.add({ type: 'file', name: name('a'), mode: 0o100755, extents: extents.slice(1) });
    listing.add({ type: 'file', name: name('b'), mode: 0o644, extents });
    listing.add({ type: 'file', name: name('c'), mode: 0, extents: [] });
    listing.add({ type: 'dir', name: name('d'), mode: 0o700, directory: { block: 9, size: 2048 } });
    listing.add({ type: 'symlink', name: name('e'), mode: 0o777, target: name('../é') });
    listing.add({ type: 'other', name: name('f'), mode: 0o104640 });
    expect(listing.finish()).toBe(undefined);
    const common = { size: 0, extents: [] };
    expect(Array.from({ length: listing.length }, (_, at) => listing.node(at))).toEqual([
      { name: 'a', type: 'file', mode: 0o755, size: 0xffff_f800, extents: extents.slice(1) },
      { name: 'b', type: 'file', mode: 0o644, size: 0xffff_f800 + 4096, extents },
      { ...common, name: 'c', type: 'file', mode: 0 },
      { ...common, name: 'd', type: 'dir', mode: 0o700, directory: { block: 9, size: 2048 } },
      { ...common, name: 'e', type: 'symlink', mode: 0o777, target: '../é' },
      { ...common, name: 'f', type: 'other', mode: 0o640 },
    ]);
  });

  test('is in the order of the bytes of the names, however they come, and finds each of them', () => {
    // Enough names for several pieces of memory; every length from 1 to 255 is among them.
    const names = Array.from({ length: 20_000 }, (_, at) => `${(at * 7919) % 20_000}`.padEnd((at % 250) + 6, '-'));
    const listing = listingOf(names);
    const inOrder = names.map(name).sort(Buffer.compare).map(String);
    expect(Array.from(names, (_, at) => listing.node(at).name)).toEqual(inOrder);
    for (const [at, one] of inOrder.entries()) {
      if (at % 97 === 0) expect(listing.find(one)).toBe(at);
    }
    for (const absent of ['', '0', '-', `${inOrder[5]}x`, 'ÿ']) expect(listing.find(absent)).toBe(-1);
  });

  test('puts a character of four bytes after one of three, as bytes are', () => {
    const listing = listingOf(['🚀', 'ｆ', 'a']);
    expect([0, 1, 2].map((at) => listing.node(at).name)).toEqual(['a', 'ｆ', '🚀']);
  });

  test('tells of a name that is there twice', () => {
    const listing = new DirectoryListing();
    for (const one of ['b', 'a', 'c', 'a']) listing.add({ type: 'other', name: name(one), mode: 0 });
    expect(listing.finish()).toBe('a');
    const sorted = new DirectoryListing();
    for (const one of ['a', 'b', 'b']) sorted.add({ type: 'other', name: name(one), mode: 0 });
    expect(sorted.finish()).toBe('b');
  });

  test('no longer shows what was hidden', () => {
    const listing = listingOf(['a', 'RR_MOVED', 'rr_moved', 'z']);
    for (const position of listing.matching(/^rr_moved$/i)) listing.hide(position);
    expect(listing.length).toBe(2);
    expect(listing.find('rr_moved')).toBe(-1);
    expect([listing.find('a'), listing.find('z')]).toEqual([0, 1]);
  });
});

test('numbers are kept across pieces of memory', () => {
  const numbers = new NumberList();
  for (let at = 0; at < 200_000; at += 1) numbers.push((at * 21_474) % 2 ** 32);
  expect(numbers.length).toBe(200_000);
  for (const at of [0, 63, 64, 65, 65_599, 65_600, 65_601, 199_999])
    expect(numbers.at(at)).toBe((at * 21_474) % 2 ** 32);
});

test('bytes are kept whole across pieces of memory, and compared', () => {
  const pool = new BytePool();
  const runs = Array.from({ length: 3000 }, (_, at) => Buffer.alloc((at * 37) % 4096, `${at}-`));
  const places = runs.map((run) => pool.add(run));
  for (const [at, run] of runs.entries()) expect(pool.run(places[at]!, run.length).equals(run)).toBe(true);
  for (let at = 1; at < runs.length; at += 50) {
    const [a, b] = [runs[at - 1]!, runs[at]!];
    const order = pool.compare(places[at - 1]!, a.length, places[at]!, b.length);
    expect(Math.sign(order)).toBe(Buffer.compare(a, b));
  }
  expect(pool.size).toBeGreaterThanOrEqual(runs.reduce((sum, { length }) => sum + length, 0));
});

describe('the check of extents', () => {
  const at = (block: number, size: number) => ({ offset: block * 2048, size });
  const checked = (files: readonly ReturnType<typeof at>[], directories: readonly ReturnType<typeof at>[] = []) => {
    const check = overlapCheck();
    for (const extent of files) check.file(extent);
    for (const extent of directories) check.directory(extent);
    return check.finish;
  };
  const last = 0xffff_fffe;

  test('lets extents touch, and files be the same', () => {
    expect(checked([at(7, 1), at(5, 4096), at(7, 1), at(last, 2048)], [at(8, 2048), at(3, 4096)])).not.toThrow();
  });

  test.each([
    ['a file within another', [at(5, 8192), at(6, 1)], []],
    ['a file that begins as another and is longer', [at(5, 1), at(5, 2)], []],
    ['the first of two that are the same, within a third', [at(5, 8192), at(7, 9), at(7, 9)], []],
    ['a file over a directory', [at(5, 2048)], [at(5, 2048)]],
    ['a directory over the end of a file', [at(5, 2049)], [at(6, 2048)]],
    ['a directory within a directory', [], [at(5, 4096), at(6, 2048)]],
    ['a directory twice', [], [at(5, 2048), at(5, 2048)]],
    ['the last block of all', [at(last - 1, 4096), at(last, 1)], []],
  ])('refuses %s', (_, files, directories) => {
    expect(checked(files, directories)).toThrow(expect.objectContaining({ code: 'iso9660-overlap' }));
  });
});
