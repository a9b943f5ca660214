import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { FormatError } from '../../../../formats/error.ts';
import { PREDICATE_LIMIT } from '../../../../formats/in-toto/predicate.ts';
import { attestationOf } from '../../../../lib/parts/archives/attestations.ts';
import { inMemoryRoot } from './root.ts';

const good = {
  mediaType: 'application/vnd.solpack.solution.predicate.v1+json',
  digest: sha256('{}'),
  size: 2,
  annotations: {
    'org.opencontainers.image.title': '.solpack/attestations/provenance.json',
    'in-toto.io/predicate-type': 'https://slsa.dev/provenance/v1',
    'io.solpack.attestation.slot': '1024',
  },
};

test('a layer tells what its predicate is, and where its slot is', () => {
  expect(attestationOf(good)).toMatchObject({
    name: 'provenance',
    path: '.solpack/attestations/provenance.json',
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: undefined,
    slotSize: 1024,
  });
});

describe('a predicate', () => {
  test.each([
    ['without a path', { 'org.opencontainers.image.title': '' }],
    ['elsewhere', { 'org.opencontainers.image.title': 'components/web/provenance.json' }],
    ['in a folder of its own', { 'org.opencontainers.image.title': '.solpack/attestations/a/b.json' }],
    ['that leads out', { 'org.opencontainers.image.title': '.solpack/attestations/../root.json' }],
    ['where a slot is', { 'org.opencontainers.image.title': '.solpack/attestations/provenance.sigstore.json' }],
    ['with a name that moves the cursor', { 'org.opencontainers.image.title': '.solpack/attestations/\u001b.json' }],
    ['without a type', { 'in-toto.io/predicate-type': '' }],
    ['about what is not a digest', { 'io.solpack.attestation.subject': 'latest' }],
    ['without a slot', { 'io.solpack.attestation.slot': '' }],
    ['with a slot of no size', { 'io.solpack.attestation.slot': '0' }],
    ['with a slot of a strange size', { 'io.solpack.attestation.slot': '1e3' }],
    ['with a slot that is no whole sectors', { 'io.solpack.attestation.slot': '1000' }],
    ['with a slot without end', { 'io.solpack.attestation.slot': '999999488' }],
  ])('%s is refused', (_, annotations) => {
    expect(() => attestationOf({ ...good, annotations: { ...good.annotations, ...annotations } })).toThrow(FormatError);
  });

  test('larger than its slot, or than can be held, is refused', () => {
    expect(() => attestationOf({ ...good, size: 1025 })).toThrow(FormatError);
    const annotations = { ...good.annotations, 'io.solpack.attestation.slot': String(2 * PREDICATE_LIMIT) };
    expect(() => attestationOf({ ...good, annotations, size: PREDICATE_LIMIT + 1 })).toThrow(FormatError);
  });

  test('is read with its root; twice, about what is not there, or at the path of another file it is refused', async () => {
    expect((await inMemoryRoot([good])).attestations).toHaveLength(1);
    await expect(inMemoryRoot([good, good])).rejects.toThrow(/provenance is there twice/);
    const about = { ...good.annotations, 'io.solpack.attestation.subject': sha256('nobody') };
    await expect(inMemoryRoot([{ ...good, annotations: about }])).rejects.toThrow(/which is not in the archive/);
    const plain = { ...good, mediaType: 'application/vnd.solpack.solution.file.v1' };
    await expect(inMemoryRoot([plain])).rejects.toThrow(/is not an allowed path of a Solution/);
  });
});
