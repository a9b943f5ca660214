import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { memory } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { openImage } from '../../../formats/iso9660/read.ts';
import type { FileEntry } from '../../../formats/segments.ts';
import { openFile } from '../../../lib/host.ts';
import { judged, ok, run, scratch } from '../../support/judges.ts';
import {
  entriesOf,
  folderSnapshot,
  type Given,
  givenSnapshot,
  imageOf,
  options,
  readSnapshot,
  writeLayout,
} from './image.ts';

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

function fresh(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

describe('the segments of an image', () => {
  const layout = layoutImage(entriesOf(files), options);

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
    const names = layout.segments.flatMap((segment) => (segment.kind === 'meta' ? [segment.name] : []));
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
    const keys = layout.segments.flatMap((segment) => (segment.kind === 'data' ? [segment.key] : []));
    expect(keys).toEqual([...new Set(files.flatMap(({ content }) => content ?? []))]);
  });

  test('put every structure before all content', () => {
    const firstData = layout.segments.findIndex(({ kind }) => kind === 'data');
    const later = layout.segments.slice(firstData).filter(({ kind }) => kind === 'meta');
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
    const meta = ({ segments }: typeof a) => segments.map((s) => (s.kind === 'meta' ? Buffer.from(s.bytes()) : s.key));
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

describe('what is not representable', () => {
  const entry = (path: string, more: Partial<FileEntry> = {}): FileEntry => {
    return { path, size: 1, mode: 0o644, key: path, ...more };
  };
  const refusals: [string, FileEntry[]][] = [
    ['an empty path', [entry('')]],
    ['an absolute path', [entry('/a')]],
    ['a path that ends in a slash', [entry('a/')]],
    ['an empty name', [entry('a//b')]],
    ['a dot as a name', [entry('a/./b')]],
    ['two dots as a name', [entry('../a')]],
    ['NUL in a name', [entry('a\0b')]],
    ['half a character in a name', [entry('a\ud800')]],
    ['a name of 254 bytes', [entry('n'.repeat(254))]],
    ['a path of more than 64 names', [entry(`${'d/'.repeat(64)}f`)]],
    ['a path of more than 4096 bytes', [entry(`${`${'n'.repeat(250)}/`.repeat(17)}f`)]],
    ['a path given twice', [entry('a'), entry('a')]],
    ['a path that is a file and a directory', [entry('a/b'), entry('a')]],
    ['a mode beyond permissions', [entry('a', { mode: 0o4755 })]],
    ['a negative size', [entry('a', { size: -1 })]],
    ['a size that is not whole', [entry('a', { size: 1.5 })]],
    ['a file of more than 100 sections', [entry('a', { size: 101 * (2 ** 32 - 2048) })]],
    ['two sizes of one content', [entry('a', { key: 'k' }), entry('b', { key: 'k', size: 2 })]],
    [
      'a volume of more than 8 TiB',
      Array.from({ length: 25 }, (_, at) => entry(`f${at}`, { size: 2 ** 38 + 2 ** 37 })),
    ],
    ['more than 65,535 directories', Array.from({ length: 65_535 }, (_, at) => entry(`${at}/f`, { key: 'one' }))],
    [
      'a thousand names of most of the image',
      Array.from({ length: 1000 }, (_, at) => entry(`f${at}`, { key: 'k', size: 1e9 })),
    ],
  ];

  test.each(refusals)('is refused by name: %s', (_, given) => {
    const attempt = () => layoutImage(given, options);
    expect(attempt).toThrow(FormatError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'iso9660-unrepresentable' }));
  });

  test('is refused by name: a volume identifier that is not in d-characters', () => {
    for (const volumeId of ['', 'lower', 'A'.repeat(33), 'A-B']) {
      expect(() => layoutImage([], { ...options, volumeId })).toThrow('volume identifier');
    }
  });
});

describe('the image', () => {
  test('reads back as what was written, in each of its trees', async () => {
    const bytes = readFileSync(image);
    const rockRidge = await openImage(memory(bytes));
    expect(rockRidge).toMatchObject({ namespace: 'rock-ridge', volumeId: 'SOLPACK_TEST', volumeSize: bytes.length });
    expect(await readSnapshot(bytes, rockRidge)).toEqual(givenSnapshot(files));
    const joliet = await openImage(memory(bytes), { namespace: 'joliet' });
    expect(await readSnapshot(bytes, joliet)).toEqual(givenSnapshot(files, false, jolietName));
    const plain = await openImage(memory(bytes), { namespace: 'plain' });
    const contents = Object.values(await readSnapshot(bytes, plain)).sort();
    expect(contents).toEqual(Object.values(givenSnapshot(files, false)).sort());
  });

  judged('is extracted by xorriso, bytes and modes', ['xorriso'], async () => {
    const out = fresh('xorriso');
    const report = await run('xorriso', ['-osirrox', 'on', '-indev', image, '-extract', '/', out]);
    expect(report.stderr).not.toMatch(/WARNING|SORRY|FAILURE/);
    expect(folderSnapshot(out)).toEqual(givenSnapshot(files));
    await ok('chmod', ['-R', 'u+w', out]);
  });

  judged('is extracted by bsdtar from a file, bytes and modes', ['bsdtar'], async () => {
    const out = fresh('bsdtar');
    await ok('bsdtar', ['-xf', image, '-C', out]);
    expect(folderSnapshot(out)).toEqual(givenSnapshot(files));
  });

  judged('is extracted by bsdtar from a pipe, bytes and modes', ['bsdtar'], async () => {
    const out = fresh('pipe');
    await ok('bsdtar', ['-xf', '-', '-C', out], { input: readFileSync(image) });
    expect(folderSnapshot(out)).toEqual(givenSnapshot(files));
  });

  judged('is extracted by 7-Zip under its Joliet names', ['7zz'], async () => {
    const out = fresh('7zz');
    expect(await ok('7zz', ['x', `-o${out}`, image])).toContain('Everything is Ok');
    expect(folderSnapshot(out, false)).toEqual(givenSnapshot(files, false, jolietName));
  });

  judged('is listed and read by isoinfo in both trees', ['isoinfo'], async () => {
    // isoinfo prints names in its own character set, and cuts those of more than 103 units.
    const ascii = files.filter(({ path }) => /^[\x20-\x7e]{1,100}$/.test(path));
    const lines = (text: string) => text.split('\n').map((line) => line.trimEnd());
    const rockRidge = lines(await ok('isoinfo', ['-R', '-f', '-i', image]));
    expect(rockRidge).toEqual(expect.arrayContaining(ascii.map(({ path }) => `/${path}`)));
    const joliet = lines(await ok('isoinfo', ['-J', '-f', '-i', image]));
    expect(joliet).toEqual(expect.arrayContaining(ascii.map(({ path }) => `/${jolietName(path)}`)));
    expect(await ok('isoinfo', ['-R', '-i', image, '-x', `/blobs/sha256/${hex}`])).toBe('a blob');
    expect(await ok('isoinfo', ['-J', '-i', image, '-x', `/blobs/sha256/${hex}`])).toBe('a blob');
    expect(await ok('isoinfo', ['-R', '-l', '-i', image])).toMatch(/^-rwxr-xr-x .* solpack\s*$/m);
  });

  judged('stores files of one content in one place', ['bsdtar'], async () => {
    const list = await ok('bsdtar', ['-tvf', image]);
    expect(list.split('\n').filter((line) => line.includes(' link to '))).toHaveLength(2);
  });
});

judged('a directory of 3,000 names keeps them all', ['xorriso', 'bsdtar', '7zz', 'isoinfo'], async () => {
  const many = Array.from({ length: 3000 }, (_, at) => ({
    path: `d/${'common-prefix-of-more-than-thirty-characters-'.repeat((at % 5) + 1)}${at}`,
    content: `${at}`,
  }));
  const path = join(folder, 'many.iso');
  writeLayout(path, layoutImage(entriesOf(many), options), (key) => key);
  const bsdtar = fresh('many-bsdtar');
  await ok('bsdtar', ['-xf', path, '-C', bsdtar]);
  expect(folderSnapshot(bsdtar)).toEqual(givenSnapshot(many));
  const xorriso = fresh('many-xorriso');
  await ok('xorriso', ['-osirrox', 'on', '-indev', path, '-extract', '/', xorriso]);
  expect(folderSnapshot(xorriso)).toEqual(givenSnapshot(many));
  const seven = fresh('many-7zz');
  await ok('7zz', ['x', `-o${seven}`, path]);
  expect(Object.values(folderSnapshot(seven, false)).sort()).toEqual(Object.values(givenSnapshot(many)).sort());
  expect((await ok('isoinfo', ['-R', '-f', '-i', path])).trim().split('\n')).toHaveLength(3001);
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
    const tree = await openImage(file);
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

  judged('has its size in bsdtar, xorriso, 7-Zip and isoinfo', ['bsdtar', 'xorriso', '7zz', 'isoinfo'], async () => {
    for (const name of names) {
      const listed = (text: string) => text.split('\n').find((line) => line.replaceAll("'", '').endsWith(` ${name}`));
      expect(listed(await ok('bsdtar', ['-tvf', path]))).toContain(` ${size} `);
      expect(listed(await ok('xorriso', ['-indev', path, '-lsl', '/']))).toContain(` ${size} `);
    }
    expect(await ok('7zz', ['l', '-slt', path])).toContain(`Path = huge\nFolder = -\nSize = ${size}\n`);
    const sections = (await ok('isoinfo', ['-R', '-l', '-i', path]))
      .split('\n')
      .filter((line) => / huge\s*$/.test(line));
    expect(sections.map((line) => Number(line.trim().split(/\s+/)[4]))).toEqual([0xfffff800, size - 0xfffff800]);
  });
});
