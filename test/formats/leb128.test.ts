import { expect, test } from 'vitest';
import { encodeLeb128 } from '../../formats/leb128.ts';

test.each([
  [0, [0]],
  [127, [127]],
  [128, [0x80, 0x01]],
  [624_485, [0xe5, 0x8e, 0x26]],
  [2 ** 40, [0x80, 0x80, 0x80, 0x80, 0x80, 0x20]],
])('%i is encoded in groups of seven bits, the lowest first', (value, bytes) => {
  expect(encodeLeb128(value)).toEqual(bytes);
});
