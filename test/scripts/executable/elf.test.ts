import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withNote } from '../../../scripts/executable/elf.ts';

const PROGRAM = 0x40_0000;
const HEADERS = 64;
const NOTES = 64 + 2 * 56;

/** A program header: type, offset, address, and sizes in the file and in memory. */
function headerOf(type: number, offset: number, fileSize: number, memorySize: number): Buffer {
  const header = Buffer.alloc(56);
  header.writeUInt32LE(type, 0);
  const fields = [offset, PROGRAM + offset, PROGRAM + offset, fileSize, memorySize];
  for (const [index, value] of fields.entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  return header;
}

/** A program of one segment, in which `notes` lie, and which has `zeros` behind it in memory. */
function program(notes: Buffer, code: Uint8Array, zeros: number): Buffer {
  const size = NOTES + notes.length + code.length;
  const head = Buffer.alloc(HEADERS);
  head.write('\x7fELF\x02\x01\x01', 0, 'latin1');
  head.writeBigUInt64LE(BigInt(HEADERS), 32);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(2, 56);
  return Buffer.concat([
    head,
    headerOf(1, 0, size, size + zeros),
    headerOf(4, NOTES, notes.length, notes.length),
    notes,
    code,
  ]);
}

/** The notes that the second program header of a file points to, by the address that it has in memory. */
function notesIn(file: Buffer): { readonly name: string; readonly content: Buffer }[] {
  const [offset, address, , size] = [8, 16, 24, 32].map((at) => Number(file.readBigUInt64LE(HEADERS + 56 + at)));
  expect(address! - offset!).toBe(PROGRAM);
  const found = [];
  for (let at = offset!; at < offset! + size!; ) {
    const [named, length] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)];
    const start = at + 12 + 4 * Math.ceil(named / 4);
    const name = file.toString('latin1', at + 12, at + 12 + named - 1);
    found.push({ name, content: Buffer.from(file.subarray(start, start + length)) });
    at = start + 4 * Math.ceil(length / 4);
  }
  return found;
}

const oldNote = Buffer.from('0400000004000000030000004f4c440001020304', 'hex');
const names = fc.stringMatching(/^[A-Z_]{1,20}$/);
const bytes = fc.uint8Array({ maxLength: 300 });

test('any note is found behind the ones that were there, and what was mapped stays as it was', () => {
  fc.assert(
    fc.property(names, bytes, bytes, fc.nat(200_000), (name, content, code, zeros) => {
      const before = program(oldNote, code, zeros);
      const after = withNote(before, name, content);
      expect(notesIn(after)).toEqual([
        { name: 'OLD', content: Buffer.from([1, 2, 3, 4]) },
        { name, content: Buffer.from(content) },
      ]);
      expect(after.subarray(NOTES, before.length)).toEqual(before.subarray(NOTES));
      expect(after.subarray(before.length, before.length + zeros).every((byte) => byte === 0)).toBe(true);
      expect(Number(after.readBigUInt64LE(HEADERS + 32))).toBe(after.length);
      expect(Number(after.readBigUInt64LE(HEADERS + 40))).toBe(after.length);
    }),
  );
});

test('a file that is none, is cut, or has wrong bytes is refused in words, or gets a note of bounded size', () => {
  const whole = program(oldNote, Buffer.from('code'), 1000);
  const changes = fc.array(fc.tuple(fc.nat(NOTES - 1), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(changes, fc.nat(whole.length), fc.boolean(), (changed, length, cut) => {
      const file = Buffer.from(whole);
      for (const [at, value] of changed) file[at] = value;
      try {
        const made = withNote(cut ? file.subarray(0, length) : file, 'NAME', Buffer.from('content'));
        expect(made.length).toBeLessThan(2 ** 27);
      } catch (error) {
        expect(error).toMatchObject({ name: 'Error', message: expect.stringMatching(/^it/) });
      }
    }),
    { numRuns: 2000 },
  );
});

test('each kind of wrong file is told apart', () => {
  const whole = program(oldNote, Buffer.from('code'), 0);
  const changed = (at: number, value: bigint): Buffer => {
    const file = Buffer.from(whole);
    file.writeBigUInt64LE(value, at);
    return file;
  };
  const refusal =
    (file: Uint8Array): (() => Buffer) =>
    () =>
      withNote(file, 'NAME', Buffer.of());
  expect(refusal(Buffer.from('#!/bin/sh\n'))).toThrow('it is not an ELF file');
  expect(refusal(whole.subarray(0, 100))).toThrow('its program headers are not in it');
  expect(refusal(changed(32, 2n ** 63n))).toThrow('its program headers are not in it');
  expect(refusal(whole.subarray(0, whole.length - 1))).toThrow('its segments are not in it');
  expect(refusal(changed(HEADERS + 40, 2n ** 40n))).toThrow('more zeros in memory');
  expect(refusal(changed(HEADERS + 56, 1n))).toThrow('are not those of a Node.js');
});
