import { describe, expect, test } from 'vitest';
import { text, utf8 } from '../../../formats/bytes.ts';
import { PositionedError } from '../../../formats/error.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { encodeMetadata, parseMetadata } from '../../../formats/solution/metadata.ts';

const rest = '\n[[images]]\nreference = "nginx:1.27"\n';
const definition = (fields: string) => parseDefinition(utf8(`name = "a"\nversion = "1.0.0"\n${fields}${rest}`));

describe('what a definition says of its release', () => {
  test('is a number and two dates, in seconds, and nothing where it is left out', () => {
    const fields = 'sequence = 7\ncreated = 2026-01-01T01:00:00+01:00\nexpires = "2027-01-01T00:00:00Z"\n';
    expect(definition(fields)).toMatchObject({ sequence: 7, created: 1767225600, expires: 1798761600 });
    expect(definition('')).toMatchObject({ sequence: undefined, created: undefined, expires: undefined });
  });

  test.each([
    ['sequence = 0', /^3:1: sequence: /],
    ['sequence = 1.5', /^3:1: sequence: /],
    ['sequence = 9007199254740993', /^3:1: sequence: /],
    ['created = 2026-01-01', /^3:1: created: has to be a date and time with its offset/],
    ['expires = "2026-02-29T00:00:00Z"', /^3:1: expires: /],
    ['expires = 2200-01-01T00:00:00Z', /^3:1: expires: /],
    ['created = 2026-01-01T00:00:00Z\nexpires = 2026-01-01T00:00:00Z', /^4:1: expires: is not after created$/],
  ])('is refused at its place: %s', (fields, expected) => {
    expect(() => definition(`${fields}\n`)).toThrow(PositionedError);
    expect(() => definition(`${fields}\n`)).toThrow(expected);
  });
});

test('metadata without a sequence and an end have the bytes that they had before there were any', () => {
  const signatureSlots = { count: 8, size: 8192 };
  const plain = { formatVersion: 1 as const, name: 'a', version: '1.0.0', created: 0, signatureSlots, components: [] };
  const before =
    '{"formatVersion":1,"name":"a","version":"1.0.0","created":0,"signatureSlots":{"count":8,"size":8192},"components":[]}';
  expect(text(encodeMetadata(plain), 'json-invalid')).toBe(before);
  const counted = { ...plain, sequence: 2, expires: 100 };
  expect(parseMetadata(encodeMetadata(counted))).toEqual(counted);
});
