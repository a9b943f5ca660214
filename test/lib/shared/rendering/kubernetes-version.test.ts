import { describe, expect, test } from 'vitest';
import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import { renderedVersion } from '../../../../lib/shared/rendering/kubernetes-version.ts';

const solution = (more: Partial<SolutionMetadata>) => ({ path: 'a.iso', metadata: more as SolutionMetadata });
const proved = (...kubernetes: string[]) => solution({ closure: { kubernetes } });

describe('the Kubernetes version that is rendered for', () => {
  test('is the newest for which all Solutions are proved, where nobody says it', () => {
    expect(renderedVersion([proved('1.9.0', '1.29.0', '1.30.0'), proved('1.29.0', '1.9.0')], undefined)).toBe('1.29.0');
    expect(renderedVersion([proved('1.29.0'), proved('1.30.0')], undefined)).toBeUndefined();
    expect(renderedVersion([solution({})], undefined)).toBeUndefined();
  });

  test.each([
    ['1.33', '1.33.0'],
    ['v1.33.4', '1.33.4'],
    ['1.33.4+k3s1', '1.33.4+k3s1'],
  ])('is what was asked for: %s', (asked, version) => {
    expect(renderedVersion([proved('1.29.0')], asked)).toBe(version);
  });

  test.each(['', '1', 'latest', '2.0', '1.33.', '1.33.4 '])('is not %j', (asked) => {
    expect(() => renderedVersion([], asked)).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
  });

  test('is none that a Solution is not for', () => {
    expect(() => renderedVersion([solution({ kubernetes: '>=1.29 <1.33' })], '1.33')).toThrow(
      expect.objectContaining({ code: 'kubernetes-unsupported' }),
    );
    expect(renderedVersion([solution({ kubernetes: '>=1.29 <1.33' })], '1.32.9')).toBe('1.32.9');
  });
});
