import { expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { encodeProvenance } from '../../../formats/in-toto/provenance.ts';

const packed = {
  name: 'hello',
  version: '1.0.0',
  created: 315532800,
  definition: sha256('definition'),
  dependencies: [
    { uri: 'oci://registry.example.com/web:1', digest: sha256('image'), mediaType: 'a/b' },
    { name: 'components/web', digest: `sha512:${'0'.repeat(128)}` as const, annotations: { kind: 'helm' } },
  ],
};

test('the provenance names what was packed, by digests, as SLSA v1 has it', () => {
  const value = JSON.parse(Buffer.from(encodeProvenance(packed)).toString());
  expect(Object.keys(value)).toEqual(['buildDefinition', 'runDetails']);
  expect(value.buildDefinition).toMatchObject({
    buildType: expect.stringMatching(/^https:\/\//),
    externalParameters: {
      definition: { name: 'solution.toml', digest: { sha256: packed.definition.slice(7) } },
      name: 'hello',
      version: '1.0.0',
      created: '1980-01-01T00:00:00Z',
    },
    internalParameters: {},
    resolvedDependencies: [
      { uri: 'oci://registry.example.com/web:1', mediaType: 'a/b', digest: { sha256: sha256('image').slice(7) } },
      { name: 'components/web', annotations: { kind: 'helm' }, digest: { sha512: '0'.repeat(128) } },
    ],
  });
  // No time, no host, no user.
  expect(value.runDetails).toEqual({ builder: { id: expect.stringMatching(/^https:\/\//) } });
  expect(encodeProvenance(packed)).toEqual(encodeProvenance(structuredClone(packed)));
});
