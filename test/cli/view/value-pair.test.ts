import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valuePair } from '../../../cli/view/value-pair.ts';

describe('two values', () => {
  test('are shown whole where they are short', () => {
    expect(valuePair(1, 'a', 30)).toEqual(['1', '"a"']);
    expect(valuePair(undefined, { a: 1 }, 30)).toEqual(['(none)', '{"a":1}']);
  });

  test('are cut at the end where that tells them apart', () => {
    expect(valuePair('abc'.repeat(20), 'xyz'.repeat(20), 10)).toEqual(['"abcabcabc…', '"xyzxyzxyz…']);
  });

  test('are shown from where they differ, where their beginnings are the same', () => {
    const image = 'registry.example.com/guestbook/operator';
    expect(valuePair(`${image}:1.0.0`, `${image}:1.1.0`, 30)).toEqual(['…/operator:1.0.0"', '…/operator:1.1.0"']);
    expect(valuePair('a'.repeat(50), 'a'.repeat(60), 20)).toEqual(['…aaaaaaaaaaaa"', '…aaaaaaaaaaaaaaaaaaaa…']);
  });

  test('never look alike where they are not, and no character is torn apart', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '😀', 'é', '\n'), { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 20, max: 40 }), (head, one, other, most) => {
        const [from, to] = valuePair(head + one, head + other, most);
        expect(from === to).toBe(head + one === head + other);
        expect(/[\ud800-\udbff](?![\udc00-\udfff])/.test(from + to)).toBe(false);
      }),
    );
  });
});
