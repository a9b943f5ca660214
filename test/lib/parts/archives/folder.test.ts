import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TreeEntry } from '../../../../formats/tree.ts';
import { openFolder } from '../../../../lib/parts/archives/folder.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('folder');

/** The files of the folder `name`, where `contents` are. */
async function opened(name: string, contents: Readonly<Record<string, string>>) {
  const root = join(folder, name);
  mkdirSync(root);
  for (const [path, content] of Object.entries(contents)) writeFileSync(join(root, path), content);
  const files = openFolder(root);
  const entries: TreeEntry[] = [];
  for await (const entry of files.tree.walk()) entries.push(entry);
  return { root, entries, file: files.file };
}

test('files of a folder lie one after the other, and are read as if they were one', async () => {
  const { entries, file } = await opened('three', { a: 'first', b: '', c: 'second', d: 'third' });
  expect(entries.map(({ path, extents }) => [path, extents])).toEqual([
    ['a', [{ offset: 0, size: 5 }]],
    ['b', []],
    ['c', [{ offset: 5, size: 6 }]],
    ['d', [{ offset: 11, size: 5 }]],
  ]);
  const read = async (offset: number, length: number): Promise<string> =>
    Buffer.from(await file.read(offset, length)).toString();
  expect(await read(0, 16)).toBe('firstsecondthird');
  expect(await read(3, 10)).toBe('stsecondth');
  expect(await read(5, 6)).toBe('second');
  expect(await read(16, 0)).toBe('');
  await expect(read(11, 6)).rejects.toMatchObject({ code: 'truncated' });
});

test('a walk leaves out what has fewer bytes than are asked for, but for folders and what lies in them', async () => {
  const { root } = await opened('large', { a: 'first', b: '', c: 'second' });
  mkdirSync(join(root, 'd'));
  writeFileSync(join(root, 'd/e'), 'third!');
  symlinkSync('c', join(root, 'f'));
  const found: string[] = [];
  for await (const { path } of openFolder(root).tree.walk('', 6)) found.push(path);
  expect(found).toEqual(['c', 'd', 'd/e']);
});

test('what is read of a folder lies in the memory that is lent for it', async () => {
  const { file } = await opened('memory', { a: 'ab', b: 'cd' });
  const memory = Buffer.alloc(8, '-');
  const bytes = await file.read(1, 2, memory);
  expect([Buffer.from(bytes).toString(), memory.toString()]).toEqual(['bc', 'bc------']);
});

test('a file of another size than before is reported, and nothing is read in its place', async () => {
  const { root, file } = await opened('changed', { a: 'first', b: 'second' });
  writeFileSync(join(root, 'b'), 'seconds');
  await expect(file.read(0, 11)).rejects.toMatchObject({ code: 'size-mismatch' });
  expect(Buffer.from(await file.read(0, 5)).toString()).toBe('first');
});
