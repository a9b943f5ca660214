import { describe, expect, test } from 'vitest';
import { packageRange } from '../../../formats/bundle/version-range.ts';

describe('a range of OLM', () => {
  test.each([
    ['>=1.0.0 <2.0.0', '>=1.0.0 <2.0.0'],
    ['!1.5.0', '<1.5.0 || >1.5.0'],
    ['== 1.2.3 || 3.x', '=1.2.3 || 3.x'],
    ['1.2.3-v1', '1.2.3-v1'],
  ])('%s is %s', (range, words) => {
    expect(packageRange(range)).toBe(words);
  });

  test.each(['v1', '>=v1.0.0', 'one'])('%s is none', (range) => {
    expect(packageRange(range)).toBeUndefined();
  });
});
