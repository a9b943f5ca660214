import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { nameAttestations } from '../../../../lib/flows/pack/attestations.ts';
import { isAttestationName } from '../../../../lib/parts/archives/attestations.ts';

const sbom = 'https://cyclonedx.org/bom';
const digest = sha256('x');

/** Names of SBOMs of images with these references. */
const namesOf = (references: readonly string[], platform = 'linux/arm/v7'): string[] => {
  const one = (reference: string) => ({
    predicateType: sbom,
    about: { reference, digest, platform },
    digest,
    size: 1,
  });
  return nameAttestations(references.map(one)).map(({ name }) => name);
};

test('attestations are named by what they are about, no two alike', () => {
  expect(namesOf(['docker.io/library/nginx:1.27.3', 'a.example.com/x-y:1', 'b.example.com/x/y:1'])).toEqual([
    'sbom-library-nginx-1.27.3-linux-arm-v7.cdx',
    'sbom-x-y-1-linux-arm-v7.cdx',
    'sbom-x-y-1-linux-arm-v7-2.cdx',
  ]);
  const many = namesOf(Array.from({ length: 30 }, () => 'a.example.com/x:1'));
  expect(new Set(many).size).toBe(30);
});

test('a name is one that an archive may have, however long and strange the reference is', () => {
  const long = `a.example.com/${'deep__er/'.repeat(20)}web:${'1-_.'.repeat(30)}x`;
  const pinned = `a.example.com/web@${digest}`;
  for (const platform of ['linux/arm64', `linux/${'ä'.repeat(300)}x/${'v'.repeat(300)}`]) {
    for (const name of namesOf([long, pinned, 'localhost:5000/x'], platform)) expect(name).toSatisfy(isAttestationName);
  }
});

test.each([
  ['a path', '../x', false],
  ['a folder', 'a/b', false],
  ['what is a slot’s', 'provenance.sigstore', false],
  ['capital letters', 'A', false],
  ['nothing', '', false],
  ['a point at the end', 'a.', false],
  ['more than 100 letters', 'a'.repeat(101), false],
  ['letters, digits, points', 'sbom-web-1.0.cdx', true],
])('%s is a name, or is none', (_, name, expected) => {
  expect(isAttestationName(name)).toBe(expected);
});
