import { describe, expect, test } from 'vitest';
import { solutionName } from '../../../../lib/flows/load/solution-name.ts';

describe('the Solution', () => {
  test.each([
    ['/usr/lib/microshift/components.d', 'components-d'],
    ['/srv/010-x/', '010-x'],
    ['/srv/Edge Node', 'edge-node'],
  ])('of %s is %s', (folder, name) => {
    expect(solutionName(folder, undefined)).toBe(name);
    expect(solutionName(folder, 'given')).toBe('given');
  });

  test('needs a name where the folder has none, and one that Kubernetes takes', () => {
    expect(() => solutionName('/', undefined)).toThrow('no name that a Solution could have');
    for (const name of ['', 'Web', 'a.b', '-a', 'a'.repeat(64)]) {
      expect(() => solutionName('/srv/web', name)).toThrow('is not a name that Kubernetes accepts');
    }
  });
});
