import { describe, expect, test } from 'vitest';
import { versionInName } from '../../../formats/bundle/edges.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import { type BundleUpgrade, bundleUpgrade } from '../../../formats/bundle/upgrade.ts';
import { type BundleChanges, bundleFiles, operatorBundle } from '../../support/operator-bundles.ts';

const upgradeOf = (changes: BundleChanges): BundleUpgrade =>
  bundleUpgrade(readOperatorBundle(bundleFiles(operatorBundle(changes))));

describe('what a bundle may be installed over', () => {
  test('is nothing in particular where it does not say', () => {
    expect(upgradeOf({})).toEqual({ upgrade: undefined, left: [] });
  });

  test('is what it replaces, what it skips, and what lies in its skipRange', () => {
    const spec = { replaces: 'cache-operator.v1.3.0', skips: ['cache-operator.v1.3.1', 'cache-operator.1.3.2'] };
    expect(upgradeOf({ spec, annotations: { 'olm.skipRange': '>=1.0.0 <1.2.0' } })).toEqual({
      upgrade: { 'cache-operator': { from: '1.3.0 || >=1.0.0 <1.2.0', skips: ['1.3.1', '1.3.2'] } },
      left: [],
    });
    expect(upgradeOf({ spec: { skips: ['cache-operator.v1.3.1'] } }).upgrade).toEqual({
      'cache-operator': { from: '1.3.1', skips: ['1.3.1'] },
    });
  });

  test('is reported where it cannot be kept', () => {
    expect(upgradeOf({ spec: { replaces: 'cache-operator-old' }, annotations: { 'olm.skipRange': 'some' } })).toEqual({
      upgrade: undefined,
      left: ['replaces cache-operator-old, which names no version', 'olm.skipRange some, which is not a range'],
    });
  });
});

describe('the name of a ClusterServiceVersion', () => {
  test.each([
    ['cache.v1.2.3', '1.2.3'],
    ['cache.1.2.3-rc.1+build', '1.2.3-rc.1+build'],
    ['a.b.v10.0.0', '10.0.0'],
    ['cache', undefined],
    ['cache.v1.2', undefined],
    ['cache.v01.2.3', undefined],
  ])('%s has the version %s', (name, version) => {
    expect(versionInName(name)).toBe(version);
  });
});
