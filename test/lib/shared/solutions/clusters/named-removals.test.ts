import { describe, expect, test } from 'vitest';
import {
  removalNames,
  requireNamedRemovals,
  unnamedRemovals,
} from '../../../../../lib/shared/solutions/clusters/named-removals.ts';

describe('a name', () => {
  const removals = [
    { solution: 'shop.team-a', kind: 'solution', version: '1.0.0', objects: [] },
    { solution: 'db', kind: 'downgrade', version: '2.0.0', to: '1.0.0', objects: [] },
  ] as const;

  test('of the Solution stands for its environments, and all that nobody has named is reported at once', () => {
    expect(unnamedRemovals(removals, { removal: ['shop', 'db'], downgrade: false })).toEqual([]);
    expect(removalNames(unnamedRemovals(removals, { removal: ['team-a'], downgrade: true }))).toEqual(['shop.team-a']);
    expect(() => requireNamedRemovals(removals, { removal: [], downgrade: false })).toThrow(
      expect.objectContaining({
        code: 'removal-unnamed',
        message: expect.stringContaining('shop.team-a 1.0.0 would be removed; db would go down from 2.0.0 to 1.0.0'),
        hint: expect.stringContaining('--allow-removal shop.team-a --allow-removal db'),
      }),
    );
  });
});
