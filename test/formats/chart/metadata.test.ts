import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { parseChartMetadata, parseRequirements } from '../../../formats/chart/metadata.ts';
import { FormatError } from '../../../formats/error.ts';

const sample = `apiVersion: v2
name: web
version: 1.2.3
appVersion: 1.16
type: application
keywords: [a]
dependencies:
  - name: common
    version: ^1.0.0
    repository: file://../common
`;

describe('parseChartMetadata', () => {
  test('reads what a chart says of itself, and keeps fields that it does not know', () => {
    expect(parseChartMetadata(utf8(sample))).toEqual({
      apiVersion: 'v2',
      name: 'web',
      version: '1.2.3',
      appVersion: '1.16',
      type: 'application',
      keywords: ['a'],
      dependencies: [{ name: 'common', version: '^1.0.0', repository: 'file://../common' }],
    });
  });

  test.each([
    ['another apiVersion', sample.replace('v2', 'v3'), 'apiVersion: has to be v1 or v2'],
    ['no name', sample.replace('name: web', 'title: web'), 'name: '],
    ['a name that is a path', sample.replace('name: web', 'name: ../web'), 'name: is not a name'],
    ['a name of dots', sample.replace('name: web', 'name: ..'), 'name: is not a name'],
    ['a version that is none', sample.replace('1.2.3', 'latest'), 'version: has to be a SemVer version'],
    ['an unknown type', sample.replace('application', 'operator'), 'type: has to be application or library'],
    ['a dependency without a name', sample.replace('name: common', 'alias: common'), 'dependencies.0.name'],
    ['two documents', `${sample}---\na: 1\n`, 'Chart.yaml:12:1: a second document begins here'],
    ['nothing', '', 'is empty'],
    ['a list', '- a', 'Chart.yaml:1:1: '],
  ])('refuses %s', (_, text, message) => {
    const parse = (): unknown => parseChartMetadata(utf8(text));
    expect(parse).toThrow(FormatError);
    expect(parse).toThrow(message);
  });

  test('refuses what is not UTF-8', () => {
    expect(() => parseChartMetadata(Uint8Array.of(0x61, 0x3a, 0x20, 0xff))).toThrow('Chart.yaml is not valid UTF-8');
  });

  test('ends in metadata or in a FormatError, whatever bytes are changed', () => {
    fc.assert(
      fc.property(fc.nat(sample.length - 1), fc.nat(255), fc.nat(9), (at, byte, cut) => {
        const bytes = Buffer.from(sample);
        bytes[at] = byte;
        try {
          parseChartMetadata(Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 1 + cut)]));
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
          expect((error as FormatError).code).toBe('chart-invalid');
        }
      }),
      { numRuns: 1500 },
    );
  });
});

test('requirements.yaml lists the dependencies of charts of apiVersion v1', () => {
  expect(parseRequirements(utf8('dependencies:\n- {name: a, version: 1}\n'))).toEqual([{ name: 'a', version: '1' }]);
  expect(parseRequirements(utf8('dependencies:\n'))).toEqual([]);
  expect(() => parseRequirements(utf8('dependencies: 1'))).toThrow(
    'requirements.yaml:1:1: dependencies: has to be a list, but is a number',
  );
});
