import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { encodeMetadata, parseMetadata, type SolutionMetadata } from '../../../formats/solution/metadata.ts';

const component = { name: 'web', kind: 'helm' as const, after: ['crds'], entry: 'web-1.0.0.tgz', values: [] };
const metadata = (timeout?: number): SolutionMetadata => ({
  formatVersion: 1,
  name: 'guestbook',
  version: '1.1.0',
  created: 315532800,
  signatureSlots: { count: 8, size: 8192 },
  components: [timeout === undefined ? component : { ...component, timeout }],
});
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('the metadata of a Solution', () => {
  test.each([undefined, 1, 300, 86400])('come back as they were written, with a timeout of %s', (timeout) => {
    const bytes = encodeMetadata(metadata(timeout));
    expect(parseMetadata(bytes)).toEqual(metadata(timeout));
    expect(encodeMetadata(parseMetadata(bytes))).toEqual(bytes);
  });

  test('have no trace of a timeout that was not given, so that no root changes', () => {
    expect(textOf(encodeMetadata(metadata()))).not.toContain('timeout');
    expect(textOf(encodeMetadata(metadata(300)))).toContain('"timeout":300');
  });

  test('are the same bytes in whatever order their fields are given', () => {
    const given = metadata(300);
    const reversed = Object.fromEntries(Object.entries(given).reverse()) as SolutionMetadata;
    expect(encodeMetadata(reversed)).toEqual(encodeMetadata(given));
  });

  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['another format version', textOf(encodeMetadata(metadata())).replace('"formatVersion":1', '"formatVersion":2')],
    ['an unknown field', textOf(encodeMetadata(metadata())).replace('"after"', '"before":[],"after"')],
    ['an unknown kind', textOf(encodeMetadata(metadata())).replace('"helm"', '"helmm"')],
    ...['0', '-1', '86401', '1.5', '"5m"', 'null', '1e9'].map((timeout) => [
      `a timeout of ${timeout}`,
      textOf(encodeMetadata(metadata(300))).replace('"timeout":300', `"timeout":${timeout}`),
    ]),
  ])('are refused with %s', (_, text) => {
    expect(() => parseMetadata(utf8(text!))).toThrow(FormatError);
  });
});
