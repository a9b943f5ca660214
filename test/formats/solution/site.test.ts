import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { PositionedError } from '../../../formats/error.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import type { ComponentSite } from '../../../formats/solution/site.ts';

const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const sitesIn = (text: string): readonly ComponentSite[] => parseConfiguration(utf8(`${head}${text}`)).sites;
/** What is said of components, without where that is. */
const plain = (sites: readonly ComponentSite[]): unknown =>
  sites.map(({ at: _, values, secrets, patches, ...names }) => ({
    ...names,
    values: values.map(({ file, at }) => file ?? at.value),
    secrets: secrets.map(({ path, env, file }) => ({ path, from: env ?? file })),
    patches: patches.map(({ file, text, target }) => ({ from: file ?? text, target })),
  }));

const sections = `values: {web: [site.yaml, {replicas: 0o3, tls: on}]}
secrets: {web: [{path: 'db.my\\.key', env: PW}, {path: [a.b], file: /run/s}]}
patches: {jobs: [{path: p.yaml, target: {kind: Job, labelSelector: a=b}, options: {allowNameChange: true}}]}
keepDrawn: {web: on, db: false}`;
const grouped = `solutions:\n- name: shop\n  archives: []\n${sections.replace(/^/gm, '  ')}\n`;
const flat = `archives: []\n${sections.replace(/^(\w+): (.*)$/gm, '$1: {shop: $2}')}\n`;

describe('what a site sets', () => {
  test('is the same in the grouped form and in that of MetalK8s, with plain values as Kubernetes has them', () => {
    expect(plain(sitesIn(grouped))).toEqual([
      {
        solution: 'shop',
        component: 'web',
        values: ['site.yaml', { replicas: 3, tls: true }],
        secrets: [
          { path: ['db', 'my.key'], from: 'PW' },
          { path: ['a.b'], from: '/run/s' },
        ],
        patches: [],
        keepDrawn: true,
      },
      {
        solution: 'shop',
        component: 'jobs',
        values: [],
        secrets: [],
        patches: [{ from: 'p.yaml', target: { kind: 'Job', labelSelector: 'a=b' } }],
        keepDrawn: undefined,
      },
      { solution: 'shop', component: 'db', values: [], secrets: [], patches: [], keepDrawn: false },
    ]);
    expect(plain(sitesIn(flat))).toEqual(plain(sitesIn(grouped)));
  });

  test('is nothing where a configuration says nothing of it', () => {
    expect(sitesIn('archives: []\nvalues:\n')).toEqual([]);
    expect(sitesIn('solutions: [{name: a, archives: [], values: }]')).toEqual([]);
  });

  test('knows where each of its fields is', () => {
    const [web] = sitesIn(grouped);
    const error = web!.values[1]!.at.error('yaml-invalid', [{ path: ['tls'], message: 'is wrong', ofName: true }]);
    expect(error.position).toEqual({ line: 6, column: 45, length: 3 });
  });

  test.each([
    ['no list', 'values: {shop: {web: {a: 1}}}', /3:17: values\.web: has to be a list, but is a mapping/],
    [
      'values that are neither path nor mapping',
      'values: {shop: {web: [1]}}',
      /3:23: values\.web\.0: has to be the path/,
    ],
    ['a choice that is none', 'keepDrawn: {shop: {web: sometimes}}', /3:20: keepDrawn\.web: has to be true or false/],
    ['no Solution', 'values: [a]', /3:1: has to be a mapping from names of Solutions/],
    ['a patch from two places', 'patches: {shop: {web: [{path: a, patch: b}]}}', /either "path" or "patch"/],
    ['a slip in a patch', 'patches: {shop: {web: [{pathh: a}]}}', /unknown field; did you mean "path"/],
    [
      'a slip in a target',
      'patches: {shop: {"a.b": [{path: a, target: {kinds: b}}]}}',
      /3:45: .*unknown field; did you mean "kind"/,
    ],
    ['a secret from nowhere', 'secrets: {shop: {web: [{path: a}]}}', /either "env" or "file"/],
    [
      'a secret in a variable that no variable can be',
      'secrets: {shop: {web: [{path: a, env: "a b"}]}}',
      /name of a variable/,
    ],
    ['both forms', 'solutions: []\nvalues: {shop: {}}', /has both "solutions" and "values"/],
  ])('is refused with %s', (_, text, message) => {
    expect(() => sitesIn(`${text}\n`)).toThrow(PositionedError);
    expect(() => sitesIn(`${text}\n`)).toThrow(message);
  });
});
