import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readStoredRelease } from '../../../formats/chart/stored-release.ts';

const stored = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64');

describe('a release as Helm stores it', () => {
  test.each([
    ['v1.14.4', 'v1.14.4', '1.14.4', '1.14.4'],
    ['59.1.0', 'v0.74.0', '59.1.0', '0.74.0'],
    ['1.0.0', '7.2', '1.0.0', undefined],
    ['1.0.0', 7, '1.0.0', undefined],
  ])('says which chart it is of: %s with %s', (version, appVersion, chartVersion, ofApp) => {
    const value = { chart: { metadata: { name: 'c', version, appVersion } }, config: { password: 'x' } };
    const expected = { chart: 'c', version: chartVersion, appVersion: ofApp };
    expect(readStoredRelease(stored(value))).toEqual(expected);
    expect(readStoredRelease(Buffer.from(JSON.stringify(value)).toString('base64'))).toEqual(expected);
  });

  test.each([
    ['no Base64 of JSON', 'secret'],
    ['a chart without a name', stored({ chart: { metadata: { version: '1.0.0' } }, config: { password: 'secret' } })],
    ['more than 16 MiB', gzipSync(Buffer.alloc(17 * 1024 * 1024, 0x20), { level: 1 }).toString('base64')],
    [
      'millions of values',
      stored({ chart: { metadata: { name: 'a' } }, x: Array.from({ length: 300_000 }, () => []) }),
    ],
    [
      'control characters in the name of its chart',
      stored({ chart: { metadata: { name: 'a\u001b[31m', x: 'secret' } } }),
    ],
    ['too long a name of its chart', stored({ chart: { metadata: { name: 'a'.repeat(251), x: 'secret' } } })],
  ])('is refused with %s, in words that have nothing of it', (_, text) => {
    let message = '';
    try {
      readStoredRelease(text);
    } catch (error) {
      message = (error as Error).message;
      expect(error).toMatchObject({ code: 'chart-invalid' });
    }
    expect(message).toMatch(/not a release as Helm stores it|a release without a chart/);
    expect(message).not.toContain('secret');
  });

  test('is not read once all releases together have become too much, also those that were refused', () => {
    const allowance = { bytes: 16 * 1024 * 1024 + 1 };
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024, 0x20), { level: 1 }).toString('base64');
    const small = stored({ chart: { metadata: { name: 'c' } } });
    expect(() => readStoredRelease(bomb, allowance)).toThrow('not a release as Helm stores it');
    expect(readStoredRelease(small, allowance)).toMatchObject({ chart: 'c' });
    expect(() => readStoredRelease(small, allowance)).toThrow('all releases have more than 512.0 MiB');
  });
});
