import { expect, test } from 'vitest';
import { memory, utf8 } from '../../../../../formats/bytes.ts';
import { type CarrierFile, entryReader } from '../../../../../lib/parts/archives/index.ts';
import { listedFiles } from '../../../../../lib/shared/solutions/tree/listed-files.ts';

const fileOf = (path: string, text: string, key = path): CarrierFile => {
  return { path, size: text.length, mode: 0o644, key, content: { kind: 'bytes', bytes: utf8(text) } };
};

const files = [
  fileOf('b/c', 'one'),
  fileOf('b/d/e', 'two'),
  fileOf('b-', 'three'),
  fileOf('a', ''),
  fileOf('z', 'one', 'b/c'),
];
const { tree, file } = listedFiles('where', files, ({ content }) =>
  memory(content.kind === 'bytes' ? content.bytes : new Uint8Array()),
);

test('a list of files is walked as the folder that they would lie in', async () => {
  const walked = async (path?: string, atLeast?: number): Promise<string[]> => {
    const entries: string[] = [];
    for await (const entry of tree.walk(path, atLeast)) entries.push(`${entry.path} ${entry.type} ${entry.size}`);
    return entries;
  };
  expect(await walked()).toEqual([
    'a file 0',
    'b dir 0',
    'b/c file 3',
    'b/d dir 0',
    'b/d/e file 3',
    'b- file 5',
    'z file 3',
  ]);
  expect(await walked('b')).toEqual(['b/c file 3', 'b/d dir 0', 'b/d/e file 3']);
  expect(await walked('', 4)).toEqual(['b dir 0', 'b/d dir 0', 'b- file 5']);
  expect(await tree.lookup('b/x')).toBeUndefined();
});

test('bytes of listed files lie one after the other, and those that are shared lie there once', async () => {
  expect(file.size).toBe(11);
  expect(Buffer.from(await file.read(0, 11)).toString()).toBe('onetwothree');
  expect(Buffer.from(await file.read(2, 5)).toString()).toBe('etwot');
  const shared = (await tree.lookup('z'))!;
  expect(Buffer.from(await entryReader(file, shared).read(1, 2)).toString()).toBe('ne');
  await expect(file.read(10, 2)).rejects.toMatchObject({ code: 'truncated' });
});
