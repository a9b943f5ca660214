import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { parseGrypeReport, parseGrypeStatus } from '../../../formats/vulnerabilities/grype.ts';
import { parseTrivyReport, parseTrivyVersion } from '../../../formats/vulnerabilities/trivy.ts';
import { isAsBad, severityOf, sortedByHarm } from '../../../formats/vulnerabilities/vulnerability.ts';

const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

describe('reports of scanners', () => {
  test('of grype say vulnerability, package and fixes', () => {
    const matches = [
      {
        vulnerability: {
          id: 'GHSA-1',
          severity: 'Critical',
          dataSource: 'https://x/1',
          fix: { versions: ['4.17.21'], state: 'fixed' },
        },
        relatedVulnerabilities: [{ id: 'CVE-2' }, { id: 'CVE-2' }, { id: 'GHSA-1' }],
        artifact: { name: 'lodash', version: '4.17.0', purl: 'pkg:npm/lodash@4.17.0', type: 'npm' },
      },
      { vulnerability: { id: 'CVE-3', severity: 'odd' }, artifact: { name: 'x' } },
    ];
    expect(parseGrypeReport(json({ matches }))).toEqual([
      {
        ...{ id: 'GHSA-1', aliases: ['CVE-2'], severity: 'critical', package: 'lodash', version: '4.17.0' },
        ...{ purl: 'pkg:npm/lodash@4.17.0', fixedIn: ['4.17.21'], url: 'https://x/1' },
      },
      { id: 'CVE-3', aliases: [], severity: 'unknown', package: 'x', version: '', fixedIn: [] },
    ]);
  });

  test('of trivy say the same', () => {
    const Vulnerabilities = [
      {
        ...{
          VulnerabilityID: 'CVE-2',
          VendorIDs: ['DSA-1'],
          PkgName: 'lodash',
          Severity: 'HIGH',
          PrimaryURL: 'https://x/2',
        },
        ...{
          PkgIdentifier: { PURL: 'pkg:npm/lodash@4.17.0' },
          InstalledVersion: '4.17.0',
          FixedVersion: '4.17.20, 4.17.21',
        },
      },
    ];
    expect(parseTrivyReport(json({ Results: [{ Target: 'Node.js', Vulnerabilities }, { Target: 'x' }] }))).toEqual([
      {
        ...{ id: 'CVE-2', aliases: ['DSA-1'], severity: 'high', package: 'lodash', version: '4.17.0' },
        ...{ purl: 'pkg:npm/lodash@4.17.0', fixedIn: ['4.17.20', '4.17.21'], url: 'https://x/2' },
      },
    ]);
    expect(parseTrivyReport(json({ SchemaVersion: 2 }))).toEqual([]);
  });

  test('say when the database was built, and why it cannot be used', () => {
    const built = Date.parse('2026-01-02T03:04:05Z');
    const at = '2026-01-02T03:04:05Z';
    expect(parseGrypeStatus(json({ schemaVersion: 'v6.1.0', built: at, valid: true }))).toEqual({
      built,
      version: 'v6.1.0',
    });
    expect(parseGrypeStatus(json({ built: '0001-01-01T00:00:00Z', valid: false, error: 'gone' }))).toEqual({
      fault: 'gone',
    });
    expect(parseTrivyVersion(json({ Version: '0.60.0', VulnerabilityDB: { Version: 2, UpdatedAt: at } }))).toEqual({
      built,
      version: '2',
    });
    expect(parseTrivyVersion(json({ Version: '0.60.0' }))).toEqual({ fault: 'there is none' });
  });

  test('are refused where they are none', () => {
    for (const parse of [parseGrypeReport, parseTrivyReport, parseGrypeStatus, parseTrivyVersion])
      expect(() => parse(utf8('no'))).toThrow('is not JSON');
    expect(() => parseGrypeReport(json({ matches: [{ artifact: {} }] }))).toThrow('the report of grype');
  });

  test('are ordered by harm', () => {
    const one = (id: string, severity: string, name = 'a') =>
      ({ id, aliases: [], severity: severityOf(severity), package: name, version: '1', fixedIn: [] }) as const;
    const sorted = sortedByHarm([one('3', 'Low'), one('2', 'HIGH', 'b'), one('1', 'critical'), one('4', 'high')]);
    expect(sorted.map(({ id }) => id)).toEqual(['1', '4', '2', '3']);
    expect([isAsBad('high', 'high'), isAsBad('critical', 'high'), isAsBad('unknown', 'negligible')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
