import { describe, expect, test } from 'vitest';
import {
  installsBeside,
  matchOutside,
  type OutsideInstall,
  outsideNames,
  unmetOutside,
} from '../../../formats/resolve/outside.ts';

const release = (offers: Readonly<Record<string, string>>, name = 'kps'): OutsideInstall => ({
  kind: 'Helm release',
  namespace: 'monitoring',
  name,
  offers,
});

describe('what others have installed', () => {
  const asks = { requires: { a: '>=1', b: '^2' }, anyOf: [{ c: '*', d: '^1' }, { e: '*' }], provides: { x: '1.0.0' } };

  test('is left out of what a Solution requires, by range', () => {
    const { rest, needs } = matchOutside(asks, [release({ a: '1.5.0', b: '1.0.0' }), release({ d: '1.1.0' }, 'other')]);
    expect(rest).toEqual({ requires: { b: '^2' }, anyOf: [{ e: '*' }], provides: { x: '1.0.0' } });
    expect(needs).toEqual([
      { kind: 'requires', name: 'a', range: '>=1', version: '1.5.0', by: 'the Helm release monitoring/kps' },
      { kind: 'any-of', name: 'd', range: '^1', version: '1.1.0', by: 'the Helm release monitoring/other' },
    ]);
  });

  test('is nothing that every object has', () => {
    const asks = { requires: { constructor: '>=1' } };
    expect(matchOutside(asks, [release({ a: '1.0.0' })])).toEqual({ rest: asks, needs: [] });
    expect(unmetOutside(asks, [release({ a: '1.0.0' })])).toEqual([]);
  });

  test('is left out of what a Solution recommends', () => {
    const { rest, needs } = matchOutside({ recommends: { a: '>=1', b: '*' } }, [release({ a: '1.5.0' })]);
    expect(rest).toEqual({ recommends: { b: '*' } });
    expect(needs).toMatchObject([{ kind: 'recommends', name: 'a', version: '1.5.0' }]);
  });

  test('is a pre-release only where the range names one', () => {
    const installs = [release({ a: '1.0.0-rc.1' })];
    expect(matchOutside({ requires: { a: '>=0.9' } }, installs).needs).toEqual([]);
    expect(matchOutside({ requires: { a: '>=1.0.0-rc.0' } }, installs).needs).toHaveLength(1);
  });

  test('does not count under a name that solpack answers for', () => {
    expect(installsBeside([release({ a: '1.0.0', b: '1.0.0' })], new Set(['a']))[0]!.offers).toEqual({ b: '1.0.0' });
  });

  test('is named where it has another version', () => {
    expect(unmetOutside(asks, [release({ a: '1.0.0', b: '1.0.0' })])).toEqual([
      'b 1.0.0 of the Helm release monitoring/kps, which solpack did not install, is not in ^2.',
    ]);
  });

  test('can have the names of packages and charts, and of no kind', () => {
    const requires = { a: '*', 'helm/a': '*', 'cert-manager.io/v1/Issuer': '*', 'helm/a/b': '*' };
    expect(outsideNames({ requires, anyOf: [{ b: '*' }], recommends: { c: '*' } })).toEqual(['a', 'helm/a', 'b', 'c']);
  });
});
