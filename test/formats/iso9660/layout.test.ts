import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { memory } from '../../../formats/bytes.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
import { openFile } from '../../../lib/kernel/files/open-file.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { entriesOf, type Given, givenSnapshot, imageOf, options, readSnapshot, writeLayout } from './image.ts';

const folder = scratch('iso9660-layout');
const hex = '0123456789abcdef'.repeat(4);
const deep = Array.from({ length: 12 }, (_, level) => `level-${level}`).join('/');

const files: Given[] = [
  { path: 'manifest.yaml', content: 'kind: Solution\n' },
  { path: `blobs/sha256/${hex}`, content: 'a blob' },
  { path: `blobs/sha256/${hex.replace('0', 'f')}`, content: 'b'.repeat(5000) },
  { path: 'components/web/values.yaml', content: 'a blob' },
  { path: 'components/web/again.yaml', content: 'a blob' },
  { path: '.solpack/root.json', content: '{}' },
  { path: '.solpack/sector', content: 's'.repeat(2048) },
  { path: 'bin/solpack', content: '#!/bin/sh\n', mode: 0o755 },
  { path: 'empty' },
  { path: 'another empty one' },
  { path: 'README', content: 'upper' },
  { path: 'readme', content: 'lower' },
  { path: 'Readme', content: 'mixed' },
  { path: 'déjà vu/日本語/🚀 𝒳.txt', content: 'unicode' },
  { path: 'n'.repeat(253), content: 'the longest name' },
  { path: `${'long/'.repeat(3)}${'é'.repeat(126)}`, content: 'two bytes a character' },
  { path: `emoji/${'🚀'.repeat(63)}`, content: 'two units a character' },
  { path: `${deep}/leaf`, content: 'deep' },
  { path: 'a+b=c; d, e & f (1) [2] {3} ~ # % @ ! $ ^', content: 'punctuation' },
  { path: 'trailing dot.', content: 'dot' },
  { path: 'archive.tar.gz', content: 'two dots' },
];

/** The names that the Joliet tree gives, where they are others. */
const jolietNames: Record<string, string> = {
  Readme: 'Readme~1',
  readme: 'readme~2',
  'a+b=c; d, e & f (1) [2] {3} ~ # % @ ! $ ^': 'a+b=c_ d, e & f (1) [2] {3} ~ # % @ ! $ ^',
  'trailing dot.': 'trailing dot_',
  ['n'.repeat(253)]: 'n'.repeat(103),
  [`${'long/'.repeat(3)}${'é'.repeat(126)}`]: `${'long/'.repeat(3)}${'é'.repeat(103)}`,
  // 103 units would end in half of a character.
  [`emoji/${'🚀'.repeat(63)}`]: `emoji/${'🚀'.repeat(51)}`,
};
const jolietName = (path: string): string => jolietNames[path] ?? path;

const image = join(folder, 'image.iso');

beforeAll(() => writeLayout(image, layoutImage(entriesOf(files), options), (key) => key));

describe('the segments of an image', () => {
  const layout = layoutImage(entriesOf(files), options);
  const segments = [...layout.segments];

  test('cover it from its first byte to its last without gaps', () => {
    let end = 0;
    for (const { offset, size } of layout.segments) {
      expect(offset).toBe(end);
      expect(size).toBeGreaterThan(0);
      end += size;
    }
    expect(layout.size).toBe(end);
  });

  test('make the same bytes at each call, as many as they say', () => {
    for (const segment of layout.segments) {
      if (segment.kind !== 'meta') continue;
      const bytes = segment.bytes();
      expect(bytes.length, segment.name).toBe(segment.size);
      expect(Buffer.compare(segment.bytes(), bytes), segment.name).toBe(0);
    }
  });

  test('are named after what they hold, each differently', () => {
    const names = segments.flatMap((segment) => (segment.kind === 'meta' ? [segment.name] : []));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'system area',
        'primary volume descriptor',
        'Joliet volume descriptor',
        'volume descriptor set terminator',
        'L path table, Rock Ridge tree',
        'M path table, Joliet tree',
        'directory the top, Rock Ridge tree',
        'continuation area of the top, Rock Ridge tree',
        'directory components/web, Joliet tree',
        'padding after manifest.yaml',
        'padding at the end',
      ]),
    );
  });

  test('hold each content once, in the order of the files, none of them empty', () => {
    const keys = segments.flatMap((segment) => (segment.kind === 'data' ? [segment.key] : []));
    expect(keys).toEqual([...new Set(files.flatMap(({ content }) => content ?? []))]);
  });

  test('put every structure before all content', () => {
    const firstData = segments.findIndex(({ kind }) => kind === 'data');
    const later = segments.slice(firstData).filter(({ kind }) => kind === 'meta');
    expect(later.every((segment) => segment.kind === 'meta' && segment.name.startsWith('padding '))).toBe(true);
  });
});

describe('the bytes of an image', () => {
  test('do not depend on the order of the files beyond that of the extents', () => {
    const plain = entriesOf(files);
    // The first file of each content stays in order; the rest is turned round.
    const firsts = plain.filter(({ key }, at) => plain.findIndex((other) => other.key === key) === at);
    const rest = plain.filter((entry) => !firsts.includes(entry)).reverse();
    const [a, b] = [layoutImage(plain, options), layoutImage([...firsts, ...rest], options)];
    const meta = ({ segments }: typeof a) =>
      [...segments].map((s) => (s.kind === 'meta' ? Buffer.from(s.bytes()) : s.key));
    expect(meta(b)).toEqual(meta(a));
  });

  test('do not depend on the order of empty files', () => {
    const empty = [...'edcba'].map((path) => ({ path }));
    expect(imageOf(empty).equals(imageOf([...empty].reverse()))).toBe(true);
  });

  test('leave the application use field to implantisomd5, which looks for spaces', () => {
    const bytes = imageOf([]);
    expect(bytes.subarray(16 * 2048 + 883, 16 * 2048 + 1395).every((byte) => byte === 0x20)).toBe(true);
  });

  test('carry the dates that were given', () => {
    const bytes = imageOf([]);
    expect(bytes.toString('latin1', 32768 + 813, 32768 + 829)).toBe('2023111422132000');
    expect(bytes.toString('latin1', 32768 + 830, 32768 + 846)).toBe('2023111422132142');
  });

  test('end with 150 sectors of zeros, also where there is no file', () => {
    const bytes = imageOf([]);
    expect(bytes.length).toBeGreaterThan(150 * 2048);
    expect(bytes.subarray(-150 * 2048).every((byte) => byte === 0)).toBe(true);
  });
});

describe('the image', () => {
  test('reads back as what was written, in each of its trees', async () => {
    const bytes = readFileSync(image);
    const rockRidge = await openIsoImage(memory(bytes));
    expect(rockRidge).toMatchObject({ namespace: 'rock-ridge', volumeId: 'SOLPACK_TEST', volumeSize: bytes.length });
    expect(await readSnapshot(bytes, rockRidge)).toEqual(givenSnapshot(files));
    const joliet = await openIsoImage(memory(bytes), { namespace: 'joliet' });
    expect(await readSnapshot(bytes, joliet)).toEqual(givenSnapshot(files, false, jolietName));
    const plain = await openIsoImage(memory(bytes), { namespace: 'plain' });
    const contents = Object.values(await readSnapshot(bytes, plain)).sort();
    expect(contents).toEqual(Object.values(givenSnapshot(files, false)).sort());
  });

  judged('stores files of one content in one place', ['bsdtar'], async () => {
    const list = await ok('bsdtar', ['-tvf', image]);
    expect(list.split('\n').filter((line) => line.includes(' link to '))).toHaveLength(2);
  });
});

describe('a file of more than 4 GiB', () => {
  const size = 5 * 2 ** 30 + 12_345;
  const path = join(folder, 'huge.iso');
  const names = ['huge', 'h'.repeat(253)];

  beforeAll(() => {
    const large = names.map((name) => ({ path: name, size, mode: 0o644, key: name }));
    const layout = layoutImage([...large, ...entriesOf([{ path: 'small', content: 'after' }])], options);
    writeLayout(path, layout, (key) => (names.includes(key) ? '' : key));
  });

  test('is written in sections that follow each other', async () => {
    await using file = await openFile(path);
    const tree = await openIsoImage(file);
    for (const name of names) {
      const entry = (await tree.lookup(name))!;
      expect(entry.size).toBe(size);
      expect(entry.extents.map((extent) => extent.size)).toEqual([0xfffff800, size - 0xfffff800]);
      expect(entry.extents[1]!.offset).toBe(entry.extents[0]!.offset + 0xfffff800);
    }
    const small = (await tree.lookup('small'))!;
    expect(Buffer.from(await file.read(small.extents[0]!.offset, 5)).toString()).toBe('after');
    expect(statSync(path).blocks * 512).toBeLessThan(2 ** 22);
  });

  test('is found whole by whoever asks for files of its size, of which no section has as much', async () => {
    await using file = await openFile(path);
    const found: unknown[] = [];
    for await (const entry of (await openIsoImage(file)).walk('', size)) found.push([entry.path, entry.size]);
    expect(found).toEqual(names.toSorted().map((name) => [name, size]));
  });
});
