import { expect, test } from 'vitest';
import { choicesOf } from '../../../../../lib/shared/solutions/sets/choices.ts';

const candidate = (version: string, name = 'shop') => ({
  path: `${name}-${version}.iso`,
  name,
  version,
  group: undefined,
});

/** Why the first of some versions was chosen, where the configuration wants one, and what was passed over. */
function reason(wanted: string | undefined, ...versions: readonly string[]): readonly unknown[] {
  const all = versions.map((version) => candidate(version));
  const active = new Map(wanted === undefined ? [] : [['shop', wanted]]);
  const [choice] = choicesOf({ active, environments: new Map() }, [...all, candidate('9.0.0', 'other')], {
    archives: all.slice(0, 1) as never,
    environments: new Map(),
  });
  return [choice!.reason, choice!.passedOver];
}

test('a choice has its reason, and what was passed over, the highest first', () => {
  expect(reason(undefined, '1.1.0')).toEqual(['the only version there is', []]);
  expect(reason('latest', '1.10.0', '1.2.0', '1.9.0')).toEqual(['the highest version', ['1.9.0', '1.2.0']]);
  expect(reason('latest', '1.1.0', '1.0.0', '1.2.0-rc.1')).toEqual([
    'the highest version that is not a pre-release',
    ['1.2.0-rc.1', '1.0.0'],
  ]);
  expect(reason('1.0.0', '1.0.0', '1.1.0')).toEqual(['the configuration wants 1.0.0', ['1.1.0']]);
  expect(reason('^1', '1.4.0', '2.0.0', '1.3.0')).toEqual(['the highest version in the range ^1', ['2.0.0', '1.3.0']]);
  expect(reason('^1', '1.4.0')).toEqual(['the only version there is, and it is in the range ^1', []]);
});
