import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { parseConfiguration } from '../../../../formats/solution/configuration.ts';
import { activeOf } from '../../../../lib/flows/serve/tag-order.ts';

describe('what a configuration activates', () => {
  const found = ['1.0.0', '1.1.0', '2.0.0'].map((version) => ({
    path: `${version}.iso`,
    name: 'shop',
    version,
    group: undefined,
  }));
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';

  test.each([
    ['a version', 'archives: [a]\nactive: {shop: 1.0.0}', ['1.0.0']],
    ['a range', 'archives: [a]\nactive: {shop: ^1.0}', ['1.1.0']],
    ['the highest of a group', 'solutions: [{name: shop, archives: [a]}]', ['2.0.0']],
    ['nothing', 'solutions: [{name: shop, activeVersion: none, archives: [a]}]', []],
    ['a version that is not there', 'archives: [a]\nactive: {shop: 3.0.0}', []],
    ['a Solution that is not there', 'archives: [a]\nactive: {other: 1.0.0}', []],
    [
      'a version in each environment',
      'solutions: [{name: shop, archives: [a], environments: {team-a: 1.0.0, team-b: 1.1.0}}]',
      ['1.0.0', '1.1.0'],
    ],
    [
      'nothing, and no environment of it',
      'solutions: [{name: shop, activeVersion: none, archives: [a], environments: {team-a: 1.0.0}}]',
      [],
    ],
  ])('%s', (_, text, expected) => {
    const active = activeOf(parseConfiguration(utf8(`${head}${text}\n`)), found);
    expect([...active].map(({ version }) => version).sort()).toEqual(expected);
  });
});
