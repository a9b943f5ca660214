import { describe, expect, test } from 'vitest';
import type { InstallMode } from '../../../formats/bundle/csv.ts';
import { type WatchWish, watchedNamespaces } from '../../../formats/bundle/install-mode.ts';

const watched = (installModes: readonly InstallMode[], wish: WatchWish = {}): readonly string[] =>
  watchedNamespaces({ installModes }, 'home', wish);

const every: readonly InstallMode[] = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

describe('the namespaces that an operator watches', () => {
  test.each<[readonly InstallMode[], WatchWish, readonly string[]]>([
    [every, {}, ['']],
    [['OwnNamespace', 'SingleNamespace'], {}, ['home']],
    [every, { installMode: 'OwnNamespace' }, ['home']],
    [every, { watchNamespaces: ['home'] }, ['home']],
    [every, { watchNamespaces: ['a', 'a'] }, ['a']],
    [every, { watchNamespaces: ['a', 'home'] }, ['a', 'home']],
    [every, { installMode: 'SingleNamespace', watchNamespaces: ['a'] }, ['a']],
    [every, { installMode: 'AllNamespaces', watchNamespaces: [] }, ['']],
  ])('of one that supports %j are, by %j, %j', (modes, wish, found) => {
    expect(watched(modes, wish)).toEqual(found);
  });

  test.each<[readonly InstallMode[], WatchWish, RegExp]>([
    [[], {}, /supports the install modes none; set watchNamespaces$/],
    [['SingleNamespace'], {}, /supports the install modes SingleNamespace; set watchNamespaces$/],
    [
      ['AllNamespaces'],
      { watchNamespaces: ['a'] },
      /not support the install mode SingleNamespace, which a would be, but/,
    ],
    [
      ['AllNamespaces'],
      { installMode: 'OwnNamespace' },
      /not support the install mode OwnNamespace, but AllNamespaces$/,
    ],
    [
      ['MultiNamespace'],
      { watchNamespaces: ['a', 'home'] },
      /not support to watch its own namespace home among others/,
    ],
    [every, { installMode: 'SingleNamespace' }, /needs watchNamespaces$/],
    [every, { installMode: 'SingleNamespace', watchNamespaces: ['home'] }, /which does not watch home$/],
    [every, { installMode: 'MultiNamespace', watchNamespaces: ['a'] }, /which does not watch a$/],
    [every, { installMode: 'AllNamespaces', watchNamespaces: ['a'] }, /which does not watch a$/],
    [every, { installMode: 'OwnNamespace', watchNamespaces: ['a', 'b'] }, /which does not watch a, b$/],
  ])('of one that supports %j cannot be those of %j', (modes, wish, words) => {
    expect(() => watched(modes, wish)).toThrow(words);
  });
});
