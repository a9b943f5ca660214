import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownCertificate } from '../../../formats/keys/certificate.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const from = Date.UTC(2026, 0, 5, 9, 30) / 1000;
const made = (until: number, serial: Uint8Array = Uint8Array.of(0x80, 1)): string =>
  ownCertificate({
    key,
    serial,
    name: 'solpack serve',
    addresses: [Uint8Array.of(10, 0, 0, 1), Uint8Array.from([0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 1])],
    from,
    until,
  });
const parsed = (until: number): X509Certificate => new X509Certificate(made(until));

test('a certificate signs itself, for its addresses and its time alone, on either side of 2050', () => {
  for (const until of [Date.UTC(2049, 11, 31, 23, 59, 59) / 1000, Date.UTC(2050, 0, 1) / 1000]) {
    const certificate = parsed(until);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect([certificate.ca, certificate.subject, certificate.issuer]).toEqual([
      true,
      'CN=solpack serve',
      'CN=solpack serve',
    ]);
    expect(certificate.checkPrivateKey(key)).toBe(true);
    expect([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]).toEqual([from * 1000, until * 1000]);
    expect(certificate.serialNumber).toBe('8001');
    expect(['10.0.0.1', '2001:db8::1', '10.0.0.2'].map((address) => certificate.checkIP(address))).toEqual([
      '10.0.0.1',
      '2001:db8::1',
      undefined,
    ]);
  }
});

judged('openssl takes a certificate as its own authority, for a server at its address', ['openssl'], async () => {
  const path = join(scratch('own-certificate'), 'ca.pem');
  writeFileSync(path, made(from + 3650 * 24 * 60 * 60));
  const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', path, '-attime', String(from + 1)];
  expect(await ok('openssl', [...verify, '-verify_ip', '10.0.0.1', path])).toContain(': OK');
});
