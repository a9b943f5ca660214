import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { checksumIn } from '../../../formats/metalk8s/checksums.ts';
import { parseMetalk8sManifest, parseMetalk8sProduct, productFields } from '../../../formats/metalk8s/solution.ts';

const api = 'solutions.metalk8s.scality.com/v1alpha1';
const full = `apiVersion: ${api}
kind: Solution
metadata:
  name: clock
  annotations: {solutions.metalk8s.scality.com/display-name: The Clock, other: 7}
spec:
  version: 1.0.0-rc.1
  images: [server:1.0.0]
  operator: {image: {tag: "2"}}
`;

describe('parseMetalk8sManifest', () => {
  test('reads what it says, and gives the rest the defaults of the importer', () => {
    expect(parseMetalk8sManifest(full)).toEqual({
      era: 'manifest',
      name: 'clock',
      version: '1.0.0-rc.1',
      displayName: 'The Clock',
      annotations: { 'solutions.metalk8s.scality.com/display-name': 'The Clock' },
      operator: { name: 'clock-operator', tag: '2' },
      statesOperator: true,
      images: ['server:1.0.0'],
    });
    const least = parseMetalk8sManifest(
      `{apiVersion: ${api}, kind: Solution, metadata: {name: a}, spec: {version: 1.0.0}}`,
    );
    expect(least).toMatchObject({ operator: { name: 'a-operator', tag: '1.0.0' }, statesOperator: false });
    expect(least.images).toBeUndefined();
  });

  test('takes the name for people from the top as well, where the importer looks for it', () => {
    const text = full.replace(
      'metadata:',
      'annotations: {solutions.metalk8s.scality.com/display-name: Top}\nmetadata:',
    );
    expect(parseMetalk8sManifest(text.replace(/ {2}annotations.*\n/, '')).displayName).toBe('Top');
  });

  test.each([
    ['Solution', 'Pod', 'is of the kind "Pod"'],
    ['v1alpha1', 'v2', 'is of the apiVersion'],
    ['  name: clock\n', '', 'does not say both'],
    ['version: 1.0.0-rc.1', 'version: null', 'does not say both'],
    ['version: 1.0.0-rc.1', 'version: 1.0', 'quotes are missing'],
    ['version: 1.0.0-rc.1', 'version: "1.0"', 'no SemVer'],
    ['name: clock', 'name: -clock', 'no RFC 1123 label'],
    ['apiVersion', 'a: 1\n---\napiVersion', 'a second document begins here'],
  ])('refuses %j where it is %j', (before, after, said) => {
    expect(() => parseMetalk8sManifest(full.replace(before, after))).toThrow(said);
  });

  test('reads or refuses whatever is changed in it, and never fails otherwise', () => {
    const change = fc.tuple(fc.nat(full.length), fc.nat(8), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(change, ([at, count, text]) => {
        try {
          parseMetalk8sManifest(full.slice(0, at) + text + full.slice(at + count));
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
    );
  });
});

describe('parseMetalk8sProduct', () => {
  test('makes of the name for people one for machines, as the importer did', () => {
    const found = parseMetalk8sProduct('NAME=Example Solution\nVERSION=1.0.0\nREQUIRE_METALK8S=">=2.0"\n', undefined);
    expect(found).toMatchObject({ era: 'product', name: 'example-solution', displayName: 'Example Solution' });
    expect(found.operator).toEqual({ name: 'example-solution-operator', tag: '1.0.0' });
  });

  test('reads config.yaml beside it', () => {
    const config = `apiVersion: ${api}\nkind: SolutionConfig\noperator: {image: {name: other}}\nimages: [a:1, 2]\n`;
    const found = parseMetalk8sProduct('NAME=a\nVERSION=1.0.0\n', config);
    expect(found).toMatchObject({ operator: { name: 'other', tag: '1.0.0' }, images: ['a:1'] });
    expect(() => parseMetalk8sProduct('NAME=a\nVERSION=1.0.0\n', 'kind: Other')).toThrow('is of the kind "Other"');
  });

  test('takes values with and without quotes, and nothing else for a field', () => {
    const fields = productFields('A="b c"\n B=\'d\'\r\n# C=e\nd=f\nE\nF=g=h\nG="\n');
    expect([...fields]).toEqual([
      ['A', 'b c'],
      ['B', 'd'],
      ['F', 'g=h'],
      ['G', '"'],
    ]);
  });
});

describe('checksumIn', () => {
  const [one, two] = ['a'.repeat(64), 'b'.repeat(64)];

  test('finds the line about a file, as sha256sum writes it', () => {
    const sums = `${one}  other.iso\n${two} *clock.iso\n`;
    expect(checksumIn(sums, 'clock.iso')).toBe(`sha256:${two}`);
    expect(checksumIn(`${one}  ./out/clock.iso\n`, 'clock.iso')).toBe(`sha256:${one}`);
    expect(checksumIn(`${one.toUpperCase()}\n`, 'clock.iso')).toBe(`sha256:${one}`);
  });

  test.each([
    ['about another', `${one}  my-clock.iso\n`],
    ['of two that name none', `${one}\n${two}\n`],
    ['too short', `${one.slice(1)}  clock.iso\n`],
    ['of another mark', `${one}--clock.iso\n`],
  ])('takes none that is %s', (_, text) => {
    expect(checksumIn(text, 'clock.iso')).toBeUndefined();
  });
});
