import { expect, test } from 'vitest';
import { parseContentRange } from '../../../../lib/kernel/http/content-range.ts';

test.each([
  ['bytes 0-0/1', { first: 0, last: 0, size: 1 }],
  ['bytes 5-9/10', { first: 5, last: 9, size: 10 }],
  ['Bytes 5-9/*', { first: 5, last: 9, size: undefined }],
  ['bytes 0-1/9007199254740991', { first: 0, last: 1, size: Number.MAX_SAFE_INTEGER }],
])('%s is a range', (value, range) => {
  expect(parseContentRange(value)).toEqual(range);
});

test.each([
  [undefined],
  [''],
  ['bytes */10'],
  ['items 0-1/2'],
  ['bytes 0-1'],
  ['bytes 1-0/2'],
  ['bytes 0-2/2'],
  ['bytes -1-2/4'],
  ['bytes 0-1/9007199254740993'],
  ['bytes 9007199254740992-9007199254740993/*'],
  ['bytes 0-1/99999999999999999999'],
  ['bytes 0x0-0x1/2'],
  ['bytes 0-1/2, bytes 2-3/4'],
])('%s is none', (value) => {
  expect(parseContentRange(value)).toBeUndefined();
});
