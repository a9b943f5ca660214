import { describe, expect, test } from 'vitest';
import { knownMinors } from '../../../formats/kubernetes/minors.ts';
import {
  isKubernetesRange,
  kubernetesSatisfies,
  kubernetesVersions,
} from '../../../formats/solution/kubernetes-range.ts';

describe('kubernetesVersions', () => {
  test.each([
    ['>=1.29 <1.32', ['1.29.0', '1.30.0', '1.31.0']],
    ['>=1.29.3 <1.31', ['1.29.3', '1.30.0']],
    ['1.30.x || 1.32.5', ['1.30.0', '1.32.5']],
    ['>=1.36', Array.from({ length: knownMinors.newest - 35 }, (_, at) => `1.${36 + at}.0`)],
    ['>=1.40 <1.42', ['1.40.0']],
    ['>2', []],
    ['no range', []],
  ])('of %s has the lowest of each minor', (range, versions) => {
    expect(kubernetesVersions(range)).toEqual(versions);
    expect(isKubernetesRange(range)).toBe(versions.length > 0);
  });

  test('takes nothing for no range', () => {
    expect(isKubernetesRange('  ')).toBe(false);
  });
});

describe('kubernetesSatisfies', () => {
  test.each([
    ['v1.29.0', '>=1.29 <1.36', true],
    ['v1.29.3-eks-036c24b', '>=1.29 <1.36', true],
    ['v1.36.0-alpha.1', '>=1.29 <1.36', false],
    ['v1.28.9+k3s1', '>=1.29 <1.36', false],
    ['1.30', '>=1.29', false],
    ['v1.30.1', 'no range', false],
  ])('of %s and %s is %s', (version, range, fits) => {
    expect(kubernetesSatisfies(version, range)).toBe(fits);
  });
});
