import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import {
  encodeSelection,
  parseSelection,
  type Selection,
  selectionLimits,
} from '../../../formats/solution/selection.ts';

const digests = ['a', 'b', 'c', 'd'].map((text) => sha256(text)).sort();
const [a, b, c, d] = digests as [(typeof digests)[0], (typeof digests)[0], (typeof digests)[0], (typeof digests)[0]];
const base = (root: typeof a, version = '1.0.0') => ({ name: 'shop', version, root });
const selection: Selection = {
  bases: [base(a), base(b, '1.1.0')],
  absent: [
    { digest: c, base: 1 },
    { digest: d, base: 0 },
  ],
};
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('a selection', () => {
  test('has the same bytes in whatever order its bases and contents are given, and reads as it was', () => {
    const turned = {
      bases: selection.bases.toReversed(),
      absent: selection.absent.toReversed().map((one) => ({ ...one, base: 1 - one.base })),
    };
    const bytes = encodeSelection(selection);
    expect(Buffer.from(encodeSelection(turned)).equals(bytes)).toBe(true);
    expect(parseSelection(bytes)).toEqual(selection);
    expect(Buffer.from(bytes).toString()).toBe(
      `{"formatVersion":1,"bases":[{"name":"shop","version":"1.0.0","root":"${a}"},{"name":"shop","version":"1.1.0","root":"${b}"}],"absent":[{"digest":"${c}","base":1},{"digest":"${d}","base":0}]}`,
    );
  });

  test.each([
    ['a content that is there twice', { absent: [selection.absent[0], selection.absent[0]] }],
    ['a base that is there twice', { bases: [base(a), base(a)] }],
    ['a base without contents', { absent: [{ digest: c, base: 0 }] }],
    ['a base that is not there', { absent: [...selection.absent, { digest: b, base: 2 }] }],
    ['another order', { absent: selection.absent.toReversed() }],
    ['no content', { absent: [] }],
    ['no base', { bases: [] }],
    ['a field that it does not know', { encoders: [] }],
    ['another version of the format', { formatVersion: 2 }],
    ['a digest that proves nothing', { absent: [{ digest: 'md5:0123', base: 0 }] }],
    ['a name that is none', { bases: [{ ...base(a), name: '\u001b[2J' }, base(b)] }],
    ['more bases than one may have', { bases: Array.from({ length: selectionLimits.bases + 1 }, () => base(a)) }],
  ])('is refused with %s', (_, fields) => {
    expect(() => parseSelection(json({ formatVersion: 1, ...selection, ...fields }))).toThrow(
      expect.objectContaining({ code: 'selection-invalid' }),
    );
  });

  test('is refused with white space, and with more bytes than it may have', () => {
    const bytes = Buffer.from(encodeSelection(selection));
    for (const other of [`${bytes} `, `${bytes}${' '.repeat(selectionLimits.bytes)}`]) {
      expect(() => parseSelection(Buffer.from(other))).toThrow(expect.objectContaining({ code: 'selection-invalid' }));
    }
  });
});
