import { expect, test } from 'vitest';
import { portablePattern } from '../../../formats/file-schemas/portable-pattern.ts';

test.each([
  [/^[.:*[]+$/, String.raw`^[.:*\[]+$`],
  [/^[\w.\-/:@*[\]]+$/, String.raw`^[\w.\-/:@*\[\]]+$`],
  [/^a\/b\\[^\s/]$/, String.raw`^a/b\\[^\s/]$`],
  [/^\[a\]$/, String.raw`^\[a\]$`],
  [/^(?:[a-z]|[[])$/, String.raw`^(?:[a-z]|[\[])$`],
])('%s is the same for editors that have patterns of Rust', (pattern, written) => {
  const portable = portablePattern(pattern.source);
  expect(portable).toBe(written);
  for (const text of ['', '[', ']', 'a', 'a/b\\x', 'a/b\\/', '[a]', '.[:', '-', '\\']) {
    expect(new RegExp(portable, 'u').test(text)).toBe(pattern.test(text));
  }
});
