import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { isVexType, judgeByVex, parseVex, type VexVerdict } from '../../../formats/vulnerabilities/openvex.ts';
import type { Vulnerability } from '../../../formats/vulnerabilities/vulnerability.ts';

const digest = sha256('image');
const subject = { reference: 'registry.example.com/web:1', digests: [digest] };
const found: Vulnerability = {
  id: 'GHSA-1',
  aliases: ['CVE-2026-1'],
  severity: 'high',
  package: 'openssl',
  version: '3.0.1',
  purl: 'pkg:deb/debian/openssl@3.0.1?arch=amd64&distro=debian-12',
  fixedIn: [],
};
const document = (...statements: object[]): Uint8Array =>
  utf8(
    JSON.stringify({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      timestamp: '2026-01-01T00:00:00Z',
      statements: statements.map((one) => ({ vulnerability: { name: 'CVE-2026-1' }, status: 'not_affected', ...one })),
    }),
  );
const judge = (...statements: object[]): VexVerdict | undefined =>
  judgeByVex(found, subject, [parseVex(document(...statements))]);

describe('VEX', () => {
  test('takes away what it calls not affected or fixed, under any name of the vulnerability', () => {
    expect(judge({ justification: 'vulnerable_code_not_present' })).toEqual({
      status: 'not_affected',
      reason: 'vulnerable_code_not_present',
    });
    expect(judge({ status: 'fixed' })).toEqual({ status: 'fixed' });
    expect(judge({ vulnerability: 'GHSA-1', status: 'fixed' })).toEqual({ status: 'fixed' });
    expect(judge({ vulnerability: { name: 'X', aliases: ['GHSA-1'] } })).toEqual({ status: 'not_affected' });
    for (const status of ['affected', 'under_investigation']) expect(judge({ status })).toBeUndefined();
    expect(judge({ vulnerability: { name: 'CVE-2026-2' } })).toBeUndefined();
  });

  test('counts for the image and the package that it names, and for no other', () => {
    const hex = digest.slice('sha256:'.length);
    const oci = { '@id': `pkg:oci/web@sha256%3A${hex}?repository_url=registry.example.com` };
    const openssl = { '@id': 'pkg:deb/debian/openssl' };
    const zlib = { '@id': 'pkg:deb/debian/zlib' };
    for (const products of [
      [oci],
      [oci['@id']],
      [{ '@id': 'x', hashes: { 'sha-256': hex.toUpperCase() } }],
      [{ '@id': subject.reference }],
      [{ ...oci, subcomponents: [zlib, openssl] }],
      [openssl],
      [{ '@id': 'x', identifiers: { purl: 'pkg:deb/debian/openssl@3.0.1?distro=debian-12' } }],
    ])
      expect([products, judge({ products })]).toEqual([products, { status: 'not_affected' }]);
    for (const products of [
      [{ '@id': `pkg:oci/web@${sha256('other')}` }],
      [{ ...oci, subcomponents: [zlib] }],
      [zlib],
      [{ '@id': 'pkg:deb/debian/openssl@3.0.2' }],
      [{ '@id': 'pkg:deb/debian/openssl?distro=debian-11' }],
      [{ '@id': 'pkg:deb/debian/%E0%A4%A' }],
      [{ '@id': 'registry.example.com/web:2' }],
    ])
      expect([products, judge({ products })]).toEqual([products, undefined]);
  });

  test('is the newest statement', () => {
    const old = { status: 'not_affected', timestamp: '2026-01-02T00:00:00Z' };
    const recent = { status: 'affected', timestamp: '2026-01-03T00:00:00+01:00' };
    expect(judge(recent, old)).toBeUndefined();
    expect(judge(old, { ...recent, timestamp: '2025-01-03T00:00:00Z' })).toEqual({ status: 'not_affected' });
  });

  test('is refused where it is none', () => {
    for (const text of [
      '',
      '[]',
      '{"@context":"https://example.com","statements":[]}',
      '{"@context":"https://openvex.dev/ns"}',
    ])
      expect(() => parseVex(utf8(text))).toThrow('a document of OpenVEX');
    expect(
      ['https://openvex.dev/ns', 'https://openvex.dev/ns/v0.2.0', 'https://openvex.dev/nsx'].map(isVexType),
    ).toEqual([true, true, false]);
  });
});
