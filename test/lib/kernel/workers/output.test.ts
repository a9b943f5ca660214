import { closeSync, openSync, readFileSync, readSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alignedMemory, DISK_BLOCK, openOutput } from '../../../../lib/kernel/workers/output.ts';
import { scratch } from '../../../support/judges.ts';
import { noise } from '../../../support/registry.ts';

const folder = scratch('output');
const SIZE = 1024 * 1024;
const memory = alignedMemory(SIZE);
memory.set(noise('memory', SIZE));

/** A file of as many zeros as are wanted. */
function zeros(name: string, size: number): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  truncateSync(path, size);
  return path;
}

describe.each([false, true])('output that goes past the page cache: %s', (direct) => {
  test.each([
    ['whole blocks', 0, SIZE, 0],
    ['a beginning and an end within blocks', 2048, SIZE - 5000, 2048 + 3 * DISK_BLOCK],
    ['memory that lies between blocks unlike its place', 512, SIZE - 512, 2048],
    ['less than a block', 100, 7, 100],
    ['nothing', 0, 0, 4096],
  ])('puts %s where it belongs, and touches nothing else', (name, start, length, place) => {
    const path = zeros(`${direct}-${name}`, 2 * SIZE);
    const expected = readFileSync(path);
    const output = openOutput(path, direct);
    output.write(memory, start, length, place);
    output.write(memory, start, length, place);
    output.close();
    memory.copy(expected, place, start, start + length);
    expect(readFileSync(path).equals(expected)).toBe(true);
  });

  test('writes beyond 4 GiB', () => {
    const place = 5 * 1024 ** 3 + 2048;
    const path = zeros(`${direct}-far`, place + SIZE);
    const output = openOutput(path, direct);
    output.write(memory, 2048, SIZE - 2048, place);
    output.close();
    const bytes = Buffer.alloc(SIZE - 2048);
    const file = openSync(path, 'r');
    expect(readSync(file, bytes, 0, bytes.length, place)).toBe(bytes.length);
    closeSync(file);
    expect(bytes.equals(memory.subarray(2048))).toBe(true);
  });

  test('throws the error of the system', () => {
    expect(() => openOutput(join(folder, 'none'), direct)).toThrow('ENOENT');
    const output = openOutput('/dev/full', direct);
    expect(() => output.write(memory, 0, SIZE, 0)).toThrow('ENOSPC');
    output.close();
  });
});
