import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../../../lib/kernel/files/open-file.ts';
import { promptReads } from '../../../../lib/kernel/files/prompt-read.ts';
import { scratch } from '../../../support/judges.ts';

const path = join(scratch('prompt-read'), 'file');
const content = Buffer.from(Uint8Array.from({ length: 1024 * 1024 }, (_, at) => at % 251));
writeFileSync(path, content);

test('what is read is what is there, however much of it and wherever it goes', async () => {
  await using handle = await open(path);
  const read = promptReads(handle);
  const memory = Buffer.alloc(1000);
  expect(await read(memory, 100, 500, 777)).toBe(500);
  expect(memory.subarray(100, 600)).toEqual(content.subarray(777, 1277));
  expect([memory[99], memory[600]]).toEqual([0, 0]);
  expect(await read(memory, 0, 1000, content.length - 10)).toBe(10);
  expect(await read(memory, 0, 1000, content.length)).toBe(0);
});

test('who reads on and on lets others have their turn, and gets the same bytes from other threads', async () => {
  await using file = await openFile(path);
  let turns = 0;
  // Clock: it counts the turns that others get.
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  for (let round = 0; round < 64; round += 1) expect(content.equals(await file.read(0, content.length))).toBe(true);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

test('a file that was closed is an error of the system, not another file', async () => {
  const handle = await open(path);
  const read = promptReads(handle);
  await handle.close();
  await expect(read(Buffer.alloc(10), 0, 10, 0)).rejects.toMatchObject({ code: 'EBADF' });
  const file = await openFile(path);
  await file.close();
  await expect(file.read(0, 10)).rejects.toMatchObject({ code: 'file-unreadable', subject: path });
});
