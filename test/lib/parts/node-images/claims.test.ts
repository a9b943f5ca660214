import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claims, claimFor, release, unclaimed } from '../../../../lib/parts/node-images/claims.ts';

type Known = ReadonlyMap<string, Claims>;

/** Installs one set of things after another for a user, without anybody who knows what is needed. */
function installed(sets: readonly (readonly string[])[], before: Known = new Map()): Known {
  return sets.reduce<Known>((known, set) => {
    const after = release(claimFor(known, 'edge', new Set(set)), 'edge', undefined);
    return new Map([...after].filter(([id]) => !unclaimed(after).includes(id)));
  }, before);
}

test('the present set and the one before it stay, and what is older goes', () => {
  expect([...installed([['a', 'b'], ['b', 'c'], ['d']]).keys()].sort()).toEqual(['b', 'c', 'd']);
});

test('the same set again changes nothing', () => {
  const once = installed([['a'], ['b']]);
  expect(installed([['b']], once)).toEqual(once);
});

test('what is kept by name stays, and all else of the user goes', () => {
  const known = claimFor(new Map([['theirs', { other: 3 }]]), 'edge', new Set(['a', 'b', 'theirs']));
  const left = release(known, 'edge', new Set(['a']));
  expect([unclaimed(left), left.get('theirs'), left.get('a')]).toEqual([['b'], { other: 3 }, { edge: 1 }]);
});

test('whatever is installed, what another user needs and what is in the present set stays', () => {
  const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(set, { minLength: 1 }), set, (sets, theirs) => {
      const others = new Map(theirs.map((id) => [id, { other: 1 }]));
      const left = [...installed(sets, others).keys()];
      expect(left).toEqual(expect.arrayContaining([...theirs, ...sets.at(-1)!]));
    }),
  );
});
