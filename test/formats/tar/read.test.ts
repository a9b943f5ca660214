import { cp, link, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memory, type ReadAt } from '../../../formats/bytes.ts';
import { openTar, sniffTar } from '../../../formats/tar/read.ts';
import type { TreeEntry } from '../../../formats/tree.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { archive, entry, listTree, packTar } from '../../support/tar.ts';

const folder = scratch('tar-read');
const record = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  const digits = `${length + `${length + 2}`.length}`.length;
  return `${length + digits}${rest}`;
};
const open = (...entries: Uint8Array[]) => openTar(memory(archive(...entries)));
const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });

describe('the tar reader', () => {
  test('makes up folders, drops a leading ./ and goes through each folder in byte order', async () => {
    const tree = await open(
      entry('./', { type: '5' }),
      entry('./b/z'),
      entry('a.txt'),
      entry('b/é'),
      entry('b-'),
      entry('b/y'),
    );
    expect((await listTree(tree)).map(({ path, type }) => `${type} ${path}`)).toEqual([
      'file a.txt',
      'dir b',
      'file b/y',
      'file b/z',
      'file b/é',
      'file b-',
    ]);
    const below: string[] = [];
    for await (const { path } of tree.walk('b')) below.push(path);
    expect(below).toEqual(['b/y', 'b/z', 'b/é']);
    expect(await tree.lookup('')).toMatchObject({ type: 'dir' });
    expect(await tree.lookup('c')).toBeUndefined();
  });

  test('gives a hard link the bytes of what it links to', async () => {
    const tree = await open(entry('a', { body: 'content' }), entry('./d/b', { type: '1', link: './a' }));
    expect(await tree.lookup('d/b')).toEqual({
      path: 'd/b',
      type: 'file',
      size: 7,
      mode: 0o644,
      extents: [{ offset: 512, size: 7 }],
    });
  });

  test('keeps symbolic links as they are stored, and other things as other', async () => {
    const tree = await open(
      entry('l', { type: '2', link: '../../etc' }),
      entry('fifo', { type: '6' }),
      entry('tty', { type: '3' }),
    );
    expect(await tree.lookup('l')).toMatchObject({ type: 'symlink', target: '../../etc', size: 0, extents: [] });
    expect(await tree.lookup('fifo')).toMatchObject({ type: 'other' });
    expect(await tree.lookup('tty')).toMatchObject({ type: 'other' });
  });

  test('takes a name that ends in a slash for a folder, as before POSIX', async () => {
    expect(await (await open(entry('old/', { edit: (block) => block.fill(0, 156, 157) }))).lookup('old')).toMatchObject(
      { type: 'dir' },
    );
  });

  test('reads pax names and sizes, and passes over records it has no use for', async () => {
    const records =
      record('mtime', '1.5') +
      record('SCHILY.xattr.user.x', 'a\nb=\0') +
      record('path', 'näme\n/x') +
      record('size', '3');
    const tree = await open(
      entry('g', { type: 'g', body: record('comment', 'c0ffee') }),
      entry('x', { type: 'x', body: records }),
      entry('short', { body: 'abc', size: 0 }),
    );
    expect(await tree.lookup('näme\n/x')).toMatchObject({ size: 3 });
  });

  test('reads base-256 sizes', async () => {
    const edit = (block: Buffer): void => {
      block.fill(0, 124, 136);
      block.writeUInt8(0x80, 124);
      block.writeUInt8(5, 135);
    };
    expect(await (await open(entry('a', { body: 'hello', edit }))).lookup('a')).toMatchObject({ size: 5 });
  });

  test('ends where the second block of zeros ends, whatever follows', async () => {
    const bytes = Buffer.concat([archive(entry('a')), Buffer.from('trailing')]);
    expect((await openTar(memory(bytes))).end).toBe(512 + 1024);
    expect((await openTar(memory(Buffer.alloc(10240)))).end).toBe(1024);
  });

  test('reads many small entries with few reads, and never the bytes of large ones', async () => {
    const bytes = packTar(new Map(Array.from({ length: 1000 }, (_, at) => [`f${at}`, Buffer.from('x')])));
    const small = counted(memory(bytes));
    await openTar(small);
    expect(small.reads).toBeLessThan(bytes.length / 65536 + 3);
    const large = counted(memory(packTar(new Map(['a', 'b', 'c'].map((name) => [name, Buffer.alloc(2 ** 22)])))));
    await openTar(large);
    expect(large.bytes).toBeLessThan(2 ** 17);
  });
});

function counted(source: ReadAt): ReadAt & { reads: number; bytes: number } {
  const counts = { reads: 0, bytes: 0, size: source.size };
  return Object.assign(counts, {
    read: (offset: number, length: number) => {
      counts.reads += 1;
      counts.bytes += length;
      return source.read(offset, length);
    },
  });
}

describe('the tar reader refuses', () => {
  const x = (body: string): Buffer => entry('x', { type: 'x', body });
  const L = (name: string, type: 'L' | 'K' = 'L'): Buffer => entry('././@LongLink', { type, body: `${name}\0` });
  const size = (text: string) => (block: Buffer) => void block.write(text.padEnd(12, '\0'), 124);
  const cases: [string, string, Uint8Array[]][] = [
    ['an absolute path', 'tar-path', [entry('/etc/passwd')]],
    ['a path that leads upwards', 'tar-path', [entry('a/../../b')]],
    ['an empty name', 'tar-path', [entry('')]],
    ['a file named as the top', 'tar-path', [entry('.')]],
    ['a NUL in a pax name', 'tar-path', [x(record('path', 'a\0b')), entry('a')]],
    ['a file twice', 'tar-path', [entry('a'), entry('./a')]],
    ['a file that was a folder', 'tar-path', [entry('a/b'), entry('a')]],
    ['a folder that was a file', 'tar-path', [entry('a'), entry('a', { type: '5' })]],
    ['an entry below a file', 'tar-path', [entry('a'), entry('a/b')]],
    ['an entry below a symbolic link', 'tar-path', [entry('a', { type: '2', link: '/' }), entry('a/b')]],
    ['a hard link to a later file', 'tar-path', [entry('a', { type: '1', link: 'b' }), entry('b')]],
    ['a hard link to a folder', 'tar-path', [entry('b', { type: '5' }), entry('a', { type: '1', link: 'b' })]],
    [
      'files that hard links make far more than the archive',
      'tar-limit',
      [
        entry('a', { body: Buffer.alloc(2 ** 20) }),
        ...Array.from({ length: 300 }, (_, at) => entry(`b${at}`, { type: '1', link: 'a' })),
      ],
    ],
    ['a symbolic link without a target', 'tar-path', [entry('a', { type: '2' })]],
    ['a folder with a size', 'tar-header', [entry('a', { type: '5', size: 512, body: 'x'.repeat(512) })]],
    ['a link with a size', 'tar-header', [entry('b'), entry('a', { type: '1', link: 'b', size: 512 })]],
    ['a GNU sparse file', 'tar-unsupported', [entry('a', { type: 'S' })]],
    ['a pax sparse file', 'tar-unsupported', [x(record('GNU.sparse.major', '1')), entry('a')]],
    ['a part of several volumes', 'tar-unsupported', [entry('a', { type: 'M' })]],
    ['a size that is not octal', 'tar-header', [entry('a', { edit: size('00000000009') })]],
    ['a size followed by something else', 'tar-header', [entry('a', { edit: size('0 1') })]],
    ['a negative size', 'tar-header', [entry('a', { edit: (block) => void block.fill(0xff, 124, 136) })]],
    [
      'a size beyond exact numbers',
      'tar-header',
      [entry('a', { edit: (block) => void block.fill(0x7f, 124, 136).writeUInt8(0x80, 124) })],
    ],
    ['a name that is not UTF-8', 'tar-header', [entry('a', { edit: (block) => void block.writeUInt8(0xff, 0) })]],
    ['a single block of zeros', 'tar-header', [entry('a'), Buffer.alloc(512), entry('b')]],
    ['a pax header for nothing', 'tar-header', [x(record('path', 'a'))]],
    ['two pax headers for one entry', 'tar-header', [x(record('path', 'a')), x(record('path', 'b')), entry('c')]],
    ['two long names for one entry', 'tar-header', [L('a'), L('b'), entry('c')]],
    ['a name by pax and by GNU rules', 'tar-header', [L('a'), x(record('path', 'b')), entry('c')]],
    [
      'a link by pax and by GNU rules',
      'tar-header',
      [L('a', 'K'), x(record('linkpath', 'b')), entry('c', { type: '2' })],
    ],
    ['a pax name for all entries', 'tar-header', [entry('g', { type: 'g', body: record('path', 'a') }), entry('c')]],
    ['a pax size for all entries', 'tar-header', [entry('g', { type: 'g', body: record('size', '0') }), entry('c')]],
    ['a pax name twice', 'tar-header', [x(record('path', 'a') + record('path', 'b')), entry('c')]],
    ['an empty pax name', 'tar-header', [x(record('path', '')), entry('c')]],
    ['a pax size that is not a number', 'tar-header', [x(record('size', '-1')), entry('c')]],
    ['a pax size beyond exact numbers', 'tar-header', [x(record('size', '9007199254740993')), entry('c')]],
    ['a pax record that is too long', 'tar-header', [x('99 path=a\n'), entry('c')]],
    ['a pax record that is too short', 'tar-header', [x('3 path=a\n'), entry('c')]],
    ['a pax record without a length', 'tar-header', [x('path=a\n'), entry('c')]],
    ['a pax record without a keyword', 'tar-header', [x('5 =a\n'), entry('c')]],
    ['a pax header of over 1 MiB', 'tar-limit', [x(record('comment', 'x'.repeat(2 ** 20))), entry('c')]],
    ['a GNU name of over 4096 bytes', 'tar-limit', [L('a'.repeat(5000)), entry('c')]],
    ['a pax name of over 4096 bytes', 'tar-limit', [x(record('path', 'a'.repeat(5000))), entry('c')]],
    [
      'a pax link of over 4096 bytes',
      'tar-limit',
      [x(record('linkpath', 'a'.repeat(5000))), entry('c', { type: '2' })],
    ],
    ['a size beyond the end', 'truncated', [entry('a', { size: 8192 })]],
    ['a pax header beyond the end', 'truncated', [entry('a', { type: 'x', size: 8192 })]],
  ];
  test.for(cases)('%s', async ([, expected, entries]) => {
    await expect(open(...entries)).rejects.toThrow(code(expected));
  });

  test('a wrong checksum', async () => {
    const bytes = archive(entry('a'));
    bytes[0] = 0x62;
    await expect(openTar(memory(bytes))).rejects.toThrow(code('tar-header'));
  });

  test('an archive that is cut short anywhere', async () => {
    const bytes = archive(entry('a', { body: 'x' }), entry('b'));
    for (let length = 0; length < bytes.length; length += 64) {
      await expect(openTar(memory(bytes.subarray(0, length)))).rejects.toThrow(code('truncated'));
    }
  });

  async function countIn(entries: AsyncIterable<unknown>): Promise<number> {
    let count = 0;
    for await (const _ of entries) count += 1;
    return count;
  }

  test('an archive that is cut short anywhere, unless it is taken as far as it goes: then whoever goes through it is reported', async () => {
    const bytes = archive(entry('a', { body: 'x' }), entry('b'));
    for (let length = 0; length < bytes.length; length += 64) {
      const { end, walk, lookup } = await openTar(memory(bytes.subarray(0, length)), { cut: true });
      expect([end > length, end <= bytes.length]).toEqual([true, true]);
      await expect(countIn(walk())).rejects.toThrow(code('truncated'));
      expect((await lookup('a')) !== undefined).toBe(length >= 513);
    }
    const whole = await openTar(memory(bytes), { cut: true });
    expect([whole.end, await countIn(whole.walk())]).toEqual([bytes.length, 2]);
  });

  test('a compressed archive, and says what to do', async () => {
    await expect(openTar(memory(gzipSync(archive(entry('a')))))).rejects.toThrow(
      /gzip; decompress it first with gunzip/,
    );
  });

  test('names of more than 64 MiB together, folders that paths imply counted', async () => {
    const entries = Array.from({ length: 20 }, (_, at) => [x(record('path', `${at}${'/a'.repeat(2000)}`)), entry('a')]);
    await expect(open(...entries.flat())).rejects.toThrow(code('tar-limit'));
  });
});

test('a tar archive is known by its magic or its checksum, and nothing else is', () => {
  expect(sniffTar(archive(entry('a')))).toBe(true);
  expect(sniffTar(archive(entry('a', { edit: (block) => void block.fill(0, 257, 265) })))).toBe(true);
  expect(sniffTar(Buffer.alloc(512))).toBe(false);
  expect(sniffTar(Buffer.from('ustar'))).toBe(false);
  expect(sniffTar(gzipSync(archive(entry('a'))))).toBe(false);
});

describe('archives of other programs are listed as bsdtar lists them', () => {
  const writers: [string, 'tar' | 'bsdtar', string][] = [
    ...['v7', 'oldgnu', 'gnu', 'ustar', 'posix'].map(
      (format) => [`GNU tar, ${format}`, 'tar', format] as [string, 'tar', string],
    ),
    ...['v7', 'ustar', 'pax', 'gnutar', 'paxr'].map(
      (format) => [`bsdtar, ${format}`, 'bsdtar', format] as [string, 'bsdtar', string],
    ),
  ];
  for (const [title, program, format] of writers) {
    judged(title, [program, 'bsdtar'], async () => {
      const source = join(folder, format + program);
      await makeTree(source, format);
      const path = join(folder, `${program}-${format}.tar`);
      await ok(program, [`--format=${format}`, '-cf', path, '-C', source, '.'], { env: { LC_ALL: 'C.UTF-8' } });
      const tree = await openTar(memory(await readFile(path)));
      const listed = await ok('bsdtar', ['-tvf', path], { env: { LC_ALL: 'C.UTF-8' } });
      expect((await listTree(tree)).map(lineOf).sort()).toEqual(linesOf(listed).sort());
      for (const found of await listTree(tree)) {
        if (found.type !== 'file') continue;
        const archiveBytes = await readFile(path);
        const bytes = found.extents.map(({ offset, size }) => archiveBytes.subarray(offset, offset + size));
        expect(Buffer.concat(bytes).equals(await readFile(join(source, found.path)))).toBe(true);
      }
    });
  }

  judged('but sparse files are refused, by GNU and pax rules', ['tar', 'bsdtar'], async () => {
    const source = join(folder, 'sparse');
    await mkdir(source, { recursive: true });
    await writeFile(join(source, 'holes'), 'start');
    await truncate(join(source, 'holes'), 2 ** 24);
    for (const [program, ...args] of [
      ['tar', '--format=gnu', '-S'],
      ['tar', '--format=posix', '-S'],
      ['bsdtar', '--format=pax'],
    ] as const) {
      const path = join(folder, 'sparse.tar');
      await ok(program, [...args, '-cf', path, '-C', source, '.']);
      await expect(openTar(memory(await readFile(path)))).rejects.toThrow(code('tar-unsupported'));
    }
  });
});

/** A tree with all that the formats can hold; with short names where the format has no long ones. */
async function makeTree(root: string, format: string): Promise<void> {
  const short = format === 'v7' || format === 'ustar';
  const deep = short ? 'deep/er' : `${'d'.repeat(100)}/${'e'.repeat(100)}/${'ü'.repeat(60)}`;
  await mkdir(join(root, deep), { recursive: true });
  await writeFile(join(root, 'a'), 'hello', { mode: 0o600 });
  await writeFile(join(root, 'empty'), '');
  await writeFile(join(root, deep, 'inner'), Buffer.alloc(70_000, 1), { mode: 0o755 });
  await link(join(root, deep, 'inner'), join(root, 'hard'));
  await symlink(short ? 'a' : `${'t'.repeat(150)}/x`, join(root, 'soft'));
  if (format !== 'v7') await ok('mkfifo', [join(root, 'pipe')]);
  await cp(join(root, 'a'), join(root, dirname(deep), 'copy'));
}

function lineOf({ path, type, mode, size, target }: TreeEntry): string {
  const kind = { file: '-', dir: 'd', symlink: 'l', other: 'p' }[type];
  const bits = [...'rwxrwxrwx'].map((letter, at) => (mode & (1 << (8 - at)) ? letter : '-')).join('');
  return `${kind}${bits} ${size} ${path}${target === undefined ? '' : ` -> ${target}`}`;
}

/** What bsdtar printed, in our words: hard links have the size and kind of what they link to. */
function linesOf(listed: string): string[] {
  const rows = listed
    .trim()
    .split('\n')
    .map((line) => /^(.)(\S{9}) +\S+ +\S+ +\S+ +(\d+) +\S+ +\S+ +\S+ \.\/(.*)$/.exec(line)!.slice(1));
  const sizes = new Map(rows.map(([, , size, name]) => [name!.split(' link to ')[0]!, size!]));
  return rows.flatMap(([kind, bits, size, name]) => {
    if (name === '') return [];
    const [path, hard] = name!.split(' link to ./');
    return [
      `${kind === 'h' ? '-' : kind}${bits} ${hard === undefined ? size : sizes.get(hard)} ${path!.replace(/\/$/, '')}`,
    ];
  });
}
