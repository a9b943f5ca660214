import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRange } from '../../../../lib/parts/registry-server/range.ts';

describe('parseRange', () => {
  test.each([
    ['bytes=0-', { start: 0, end: 999 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['Bytes= 10-19 ', { start: 10, end: 19 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=-10', { start: 990, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=500-0', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=-', undefined],
    ['bytes=1-2,4-5', undefined],
    ['bytes=a-b', undefined],
    ['bytes=1.5-2', undefined],
    ['items=0-1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j of 1000 bytes', (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range);
  });

  test('nothing of an empty content can be had', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });

  test('whatever is asked for, a range lies within the content', () => {
    const part = fc.oneof(fc.nat().map(String), fc.constant(''), fc.string());
    fc.assert(
      fc.property(part, part, fc.nat(), (first, last, size) => {
        const range = parseRange(`bytes=${first}-${last}`, size);
        if (range === undefined || range === 'unsatisfiable') return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});
