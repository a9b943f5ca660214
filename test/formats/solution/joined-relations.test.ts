import { describe, expect, test } from 'vitest';
import { joinedRelations, rangeOfBoth, rangeOfEither } from '../../../formats/solution/joined-relations.ts';

describe('what a Solution asks of others', () => {
  test('is what its definition says, and what its components say of themselves', () => {
    const components = [
      {
        requires: { a: '>=1', b: '^1' },
        provides: { own: '1.0.0' },
        anyOf: [{ c: '*', d: '*' }],
        conflicts: { e: '1.x' },
      },
      { requires: { a: '<2' }, provides: { more: '2.0.0' }, conflicts: { e: '3.x' } },
    ];
    expect(joinedRelations({ requires: { f: '*' }, anyOf: [{ g: '*' }], exclusive: ['own'] }, components)).toEqual({
      requires: { a: '>=1 <2', b: '^1', f: '*' },
      conflicts: { e: '1.x || 3.x' },
      anyOf: [{ g: '*' }, { c: '*', d: '*' }],
      provides: { own: '1.0.0', more: '2.0.0' },
      exclusive: ['own'],
    });
  });

  test('is by the word of its definition, where that and a component speak of one name', () => {
    const component = { requires: { a: '^1' }, provides: { b: '1.0.0' } };
    const joined = joinedRelations({ requires: { a: '>=1 <3' }, provides: { b: '2.0.0' } }, [component]);
    expect(joined).toMatchObject({ requires: { a: '>=1 <3' }, provides: { b: '2.0.0' } });
  });

  test('may be on a name that every object of JavaScript has', () => {
    const joined = joinedRelations({}, [{ requires: { constructor: '^1' } }, { requires: { constructor: '<1.5' } }]);
    expect(Object.entries(joined.requires ?? {})).toEqual([['constructor', '^1 <1.5']]);
  });

  test('is not what it brings itself, in a version that will do', () => {
    const component = { requires: { a: '^1', b: '^2', c: '*' }, anyOf: [{ a: '*', d: '*' }] };
    const other = { provides: { a: '1.2.0', b: '1.0.0', c: '0.1.0-rc.1' } };
    expect(joinedRelations({}, [component, other])).toMatchObject({ requires: { b: '^2' }, anyOf: [] });
  });
});

test('two ranges make one of what lies in both, or in either', () => {
  expect(rangeOfBoth('1.x || 2.x', '>=1.5')).toBe('1.x >=1.5 || 2.x >=1.5');
  expect([rangeOfBoth('*', '^1'), rangeOfBoth('^1', '*'), rangeOfBoth('^1', '^1')]).toEqual(['^1', '^1', '^1']);
  expect([rangeOfEither('*', '^1'), rangeOfEither('^1', '*'), rangeOfEither('^1', '^2')]).toEqual([
    '*',
    '*',
    '^1 || ^2',
  ]);
});
