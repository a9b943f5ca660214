import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memory } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { layoutTar } from '../../../formats/tar/layout.ts';
import { openTar } from '../../../formats/tar/read.ts';
import { buildImage, layoutFiles } from '../../support/image.ts';
import { judged, ok, scratch } from '../../support/judges.ts';
import { listTree, materialise, packTar } from '../../support/tar.ts';

const folder = scratch('tar-layout');
const modified = Date.UTC(2024, 0, 2, 3, 4, 5) / 1000;
const long = `${'d'.repeat(90)}/${'e'.repeat(90)}/${'f'.repeat(120)}`;
const files: [string, string, number][] = [
  ['z-first.txt', 'order is the caller’s', 0o644],
  ['bin/run', '#!/bin/sh\n', 0o755],
  ['empty', '', 0o600],
  ['exact', 'x'.repeat(512), 0o644],
  [`${'p'.repeat(120)}/fits-the-prefix`, 'prefix', 0o644],
  [long, 'needs pax', 0o644],
  ['späte Grüße/naïve 文.txt', 'not ASCII', 0o644],
  ['copy', 'x'.repeat(512), 0o644],
];
const content = new Map(files.map(([, text]) => [sha256(text) as string, Buffer.from(text)]));
const entries = files.map(([path, text, mode]) => ({ path, size: Buffer.byteLength(text), mode, key: sha256(text) }));
const bytes = materialise(layoutTar(entries, { modified }), content);

describe('the tar writer', () => {
  test('lays segments end to end, in the order of the files', () => {
    const { size, segments: all } = layoutTar(entries, { modified });
    const segments = [...all];
    let at = 0;
    for (const segment of segments) {
      expect(segment.offset).toBe(at);
      if (segment.kind === 'meta') expect(segment.bytes().length).toBe(segment.size);
      at += segment.size;
    }
    expect(at).toBe(size);
    expect(segments.filter((segment) => segment.kind === 'data').length).toBe(files.length - 1);
    expect(segments.slice(0, 3).map((segment) => (segment.kind === 'meta' ? segment.name : segment.key))).toEqual([
      'tar header of z-first.txt',
      sha256(files[0]![1]),
      'padding after z-first.txt',
    ]);
    expect(segments.at(-1)).toMatchObject({ name: 'end of archive', size: 1024 });
  });

  test('writes the same bytes in every version of this project', () => {
    expect(sha256(bytes)).toBe('sha256:731b4d80ec876ddff6716dd820e64686dc48dfed979a865507c53ac6493bec32');
  });

  test('is read back as it was written', async () => {
    const tree = await openTar(memory(bytes));
    expect(tree.end).toBe(bytes.length);
    for (const [path, text, mode] of files) {
      const entry = await tree.lookup(path);
      expect(entry).toMatchObject({ path, type: 'file', mode, size: Buffer.byteLength(text) });
      const parts = entry!.extents.map(({ offset, size }) => bytes.subarray(offset, offset + size));
      expect(Buffer.concat(parts).toString()).toBe(text);
    }
    expect((await listTree(tree)).filter((entry) => entry.type === 'file').length).toBe(files.length);
  });

  const refused: [string, Parameters<typeof layoutTar>[0]][] = [
    ['an absolute path', [{ path: '/a', size: 0, mode: 0o644, key: '' }]],
    ['a path with ..', [{ path: 'a/../b', size: 0, mode: 0o644, key: '' }]],
    ['an empty name', [{ path: 'a//b', size: 0, mode: 0o644, key: '' }]],
    ['a NUL', [{ path: 'a\0b', size: 0, mode: 0o644, key: '' }]],
    ['half a surrogate pair', [{ path: 'a\ud800', size: 0, mode: 0o644, key: '' }]],
    ['a name of 5000 bytes', [{ path: 'a'.repeat(5000), size: 0, mode: 0o644, key: '' }]],
    ['a negative size', [{ path: 'a', size: -1, mode: 0o644, key: '' }]],
    ['a mode with the type in it', [{ path: 'a', size: 0, mode: 0o100644, key: '' }]],
    ['a path twice', [1, 2].map(() => ({ path: 'a', size: 0, mode: 0o644, key: '' }))],
    ['a file that is a folder too', ['a', 'a/b'].map((path) => ({ path, size: 0, mode: 0o644, key: '' }))],
    ['sizes beyond exact numbers', ['a', 'b'].map((path) => ({ path, size: 2 ** 53 - 1, mode: 0o644, key: '' }))],
  ];
  test.for(refused)('refuses %s', ([, list]) => {
    expect(() => layoutTar(list, { modified: 0 })).toThrow(expect.objectContaining({ code: 'tar-unrepresentable' }));
  });

  test('refuses a time that ustar cannot hold', () => {
    expect(() => layoutTar([], { modified: -1 })).toThrow(expect.objectContaining({ code: 'tar-unrepresentable' }));
    expect(() => layoutTar([], { modified: 1.5 })).toThrow(expect.objectContaining({ code: 'tar-unrepresentable' }));
    expect(() => layoutTar([], { modified: 2 ** 33 })).toThrow(
      expect.objectContaining({ code: 'tar-unrepresentable' }),
    );
  });
});

describe('what the tar writer wrote', () => {
  const path = join(folder, 'out.tar');

  for (const judge of ['tar', 'bsdtar', '7zz'] as const) {
    judged(`is extracted by ${judge} to the same files`, [judge], async () => {
      const target = join(folder, judge);
      await writeFile(path, bytes);
      await mkdir(target, { recursive: true });
      if (judge === '7zz') await ok('7zz', ['x', '-y', `-o${target}`, path]);
      else await ok(judge, ['-xf', path, '-C', target]);
      for (const [name, text] of files) expect(await readFile(join(target, name), 'utf8')).toBe(text);
    });
  }

  judged(
    'has the names, modes, owners and times that were asked for, by bsdtar and GNU tar',
    ['bsdtar', 'tar'],
    async () => {
      await writeFile(path, bytes);
      const env = { TZ: 'UTC', LC_ALL: 'C.UTF-8' };
      const gnu = await ok('tar', ['--full-time', '--numeric-owner', '--quoting-style=literal', '-tvf', path], { env });
      const expected = files.map(([name, text, mode]) => {
        const bits = mode === 0o755 ? 'rwxr-xr-x' : mode === 0o600 ? 'rw-------' : 'rw-r--r--';
        return `-${bits} 0/0 ${Buffer.byteLength(text)} 2024-01-02 03:04:05 ${name}`;
      });
      expect(
        gnu
          .trim()
          .split('\n')
          .map((line) => line.replaceAll(/ +/g, ' ')),
      ).toEqual(expected.map((line) => line.replaceAll(/ +/g, ' ')));
      const bsd = await ok('bsdtar', ['-tf', path], { env });
      expect(bsd.trim().split('\n')).toEqual(files.map(([name]) => name));
    },
  );

  judged('tells sizes over 8 GiB to all of them', ['bsdtar', 'tar', '7zz'], async () => {
    const size = 9 * 2 ** 30 + 3;
    const layout = layoutTar(
      ['huge', 'after'].map((name) => ({ path: name, size: name === 'huge' ? size : 0, mode: 0o644, key: name })),
      { modified },
    );
    const huge = join(folder, 'huge.tar');
    await writeFile(huge, '');
    await truncate(huge, layout.size);

    const file = await open(huge, 'r+');
    for (const segment of layout.segments) {
      if (segment.kind === 'meta') await file.write(segment.bytes(), 0, segment.size, segment.offset);
    }
    await file.close();
    for (const judge of ['tar', 'bsdtar'] as const) {
      const lines = (await ok(judge, ['-tvf', huge])).trim().split('\n');
      expect(lines.length).toBe(2);
      expect(lines[0]).toContain(` ${size} `);
      expect(lines[1]).toMatch(/ after$/);
    }
    expect(await ok('7zz', ['l', '-slt', huge])).toContain(`Size = ${size}\n`);
    const handle = await open(huge, 'r');
    const tree = await openTar({
      size: layout.size,
      read: async (offset, length) => (await handle.read(Buffer.alloc(length), 0, length, offset)).buffer,
    });
    expect(await tree.lookup('huge')).toMatchObject({ size, extents: [{ size }] });
    expect(await tree.lookup('after')).toMatchObject({ size: 0 });
    await handle.close();
  });

  judged('is an OCI archive that skopeo inspects', ['skopeo'], async () => {
    const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'] });
    const oci = join(folder, 'oci.tar');
    await writeFile(oci, packTar(layoutFiles([{ name: 'v1', image }])));
    const raw = await ok('skopeo', ['inspect', '--raw', `oci-archive:${oci}:v1`]);
    expect(sha256(raw)).toBe(image.index.digest);
  });
});
