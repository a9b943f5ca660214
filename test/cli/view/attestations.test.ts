import { expect, test } from 'vitest';
import { attestationsView } from '../../../cli/view/attestations.ts';
import { styleFor } from '../../../cli/view/style.ts';
import type { Inspection } from '../../../lib/index.ts';
import { silentSink } from '../../support/sinks.ts';

const style = styleFor(silentSink, {});

const sbom = { predicateType: 'https://cyclonedx.org/bom', size: 990, signed: true, keyId: 'ab'.repeat(32) };
const attestations = [
  { name: 'provenance', ...sbom, predicateType: 'https://slsa.dev/provenance/v1' },
  ...Array.from({ length: 35 }, (_, at) => ({ name: `sbom-${at}`, ...sbom, reference: `r/web${at}:1` })),
] as unknown as Inspection['attestations'];

test('tells 36 attestations in a line, and each of them where that is asked for', () => {
  expect(attestationsView(attestations, style, false)).toEqual([
    '36 attestations  35 SBOMs, 1 provenance; by key abababababababab; --all lists them',
  ]);
  const lines = attestationsView(attestations, style, true);
  expect(lines).toHaveLength(37);
  expect(lines[2]).toContain('about r/web0:1');
});

test('says of how many nobody signed', () => {
  const bare = attestations.map((one, at) => (at < 2 ? { ...one, signed: false, keyId: undefined } : one));
  expect(attestationsView(bare as unknown as Inspection['attestations'], style, false)[0]).toContain('except 2');
  const none = attestations.slice(0, 1).map((one) => ({ ...one, signed: false, keyId: undefined }));
  expect(attestationsView(none as unknown as Inspection['attestations'], style, false)).toEqual([
    '1 attestation  1 provenance; not signed; --all lists it',
  ]);
  expect(attestationsView([], style, false)).toEqual(['0 attestations']);
});
