import { expect, test } from 'vitest';
import { noDate, recordDate, volumeDate } from '../../../formats/iso9660/dates.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('a date of a record has one byte for each part, the year from 1900', () => {
  expect([...recordDate(1_700_000_000)]).toEqual([123, 11, 14, 22, 13, 20, 0]);
  expect([...recordDate(0)]).toEqual([70, 1, 1, 0, 0, 0, 0]);
});

test('dates beyond 1900 to 2155 become the nearest that fits', () => {
  expect([...recordDate(-1e12)]).toEqual([0, 1, 1, 0, 0, 0, 0]);
  expect([...recordDate(1e12)]).toEqual([255, 12, 31, 23, 59, 59, 0]);
  expect(text(volumeDate({ seconds: 1e12, centiseconds: 0 }))).toBe('2155123123595900\0');
});

test('a date of a descriptor is written in digits, with hundredths of a second', () => {
  expect(text(volumeDate({ seconds: 951_782_399, centiseconds: 7 }))).toBe('2000022823595907\0');
  expect(text(volumeDate({ seconds: 951_782_400, centiseconds: 99 }))).toBe('2000022900000099\0');
  expect(text(noDate)).toBe('0000000000000000\0');
});
