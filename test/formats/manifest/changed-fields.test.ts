import { expect, test } from 'vitest';
import { changedFields } from '../../../formats/manifest/changed-fields.ts';

test('the deepest fields in which two values differ are reported, with what one of them lacks', () => {
  const before = { a: 1, b: { 'c.d': [1, { e: 1 }], f: 1 }, g: [1, 2] };
  const after = { a: 1, b: { 'c.d': [1, { e: 2 }], h: 1 }, g: [1] };
  expect(changedFields(before, after)).toEqual(['b.c\\.d.1.e', 'b.f', 'b.h', 'g.1']);
  expect(changedFields(before, structuredClone(before))).toEqual([]);
  expect(changedFields({ a: [] }, { a: {} })).toEqual(['a']);
});
