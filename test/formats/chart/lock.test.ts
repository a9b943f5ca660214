import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { isInStep, parseChartLock } from '../../../formats/chart/lock.ts';
import { digestOf } from '../../../formats/digest.ts';

// What Go writes for these is what helm hashes; the tests of pack compare with helm itself.
const required = [{ name: 'common', version: '>=1.0.0 <2', repository: 'https://charts.example.com', alias: 'a&b' }];
const lockText = (digest: string): Uint8Array =>
  utf8(`dependencies:
- name: common
  repository: https://charts.example.com
  version: 1.1.0
digest: ${digest}
generated: "2026-01-01T00:00:00Z"
`);

describe('a lock of dependencies', () => {
  test('has the versions, numbers among them as they are written', () => {
    const lock = parseChartLock(utf8('dependencies:\n- name: a\n  version: 1.2\n  repository: ""\ndigest: sha256:0\n'));
    expect(lock.dependencies).toEqual([{ name: 'a', version: '1.2', repository: '' }]);
  });

  test.each(['', '- a\n', 'digest: 1\n', 'dependencies: {}\ndigest: x\n', 'a: 1\n---\nb: 2\n', '\u0000', '{'])(
    '%j is none',
    (content) => {
      expect(() => parseChartLock(utf8(content))).toThrow(expect.objectContaining({ code: 'chart-invalid' }));
    },
  );

  test('that is not UTF-8 is none', () => {
    expect(() => parseChartLock(Uint8Array.of(0xff, 0xfe))).toThrow(expect.objectContaining({ code: 'chart-invalid' }));
  });

  test('is in step with dependencies that it was made of, and with no others', () => {
    const json =
      '[[{"name":"common","version":"\\u003e=1.0.0 \\u003c2","repository":"https://charts.example.com","alias":"a\\u0026b"}],' +
      '[{"name":"common","version":"1.1.0","repository":"https://charts.example.com"}]]';
    const lock = parseChartLock(lockText(digestOf(json, 'sha256')));
    expect(isInStep(lock, required, 'v2')).toBe(true);
    expect(isInStep(lock, [{ ...required[0]!, version: '^1' }], 'v2')).toBe(false);
    expect(isInStep(lock, [...required, ...required], 'v2')).toBe(false);
  });

  test('of Helm 2 counts for charts of its time', () => {
    const json = '{"dependencies":[{"name":"common","repository":"https://charts.example.com"}]}';
    const lock = parseChartLock(lockText(digestOf(json, 'sha256')));
    const old = [{ name: 'common', repository: 'https://charts.example.com' }];
    expect(isInStep(lock, old, 'v1')).toBe(true);
    expect(isInStep(lock, old, 'v2')).toBe(false);
  });

  test('has keys of mappings in the order of their bytes, and leaves out what is empty', () => {
    const json =
      '[[{"name":"a","repository":"","tags":["t"],"import-values":[{"child":"c","parent":"p"}]}],[{"name":"common",' +
      '"version":"1.1.0","repository":"https://charts.example.com"}]]';
    const lock = parseChartLock(lockText(digestOf(json, 'sha256')));
    const values = [{ parent: 'p', child: 'c' }];
    const odd = {
      name: 'a',
      version: '',
      condition: '',
      enabled: false,
      tags: ['t'],
      'import-values': values,
      alias: null,
    };
    expect(isInStep(lock, [odd as never], 'v2')).toBe(true);
  });
});
