import { expect, test } from 'vitest';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { addedRights, type Right, rightsOf } from '../../../formats/manifest/rights.ts';

const rights = (yaml: string): Right[] => rightsOf(parseDocuments(yaml, 'rbac.yaml'));
const head = (kind: string, name: string): string =>
  `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: shop}\n`;
const role = (rules: string, kind = 'Role'): string => `${head(kind, 'r')}rules: ${rules}\n`;
const binding = (kind = 'RoleBinding', to = 'Role'): string =>
  `${head(kind, 'b')}roleRef: {kind: ${to}, name: r}\nsubjects: [{kind: ServiceAccount, name: web, namespace: shop}]\n`;
const pods = '[{apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}]';
const added = (before: string, after: string): string[] =>
  addedRights(rights(before), rights(after)).map(({ subject, namespace, verb, group, resource, name }) =>
    [subject, namespace, verb, group, resource, name].join(' '),
  );

test('a binding gives what its role allows to each of its subjects', () => {
  expect(
    added('', role('[{apiGroups: [apps], resources: [sets], resourceNames: [a], verbs: [get]}]') + binding()),
  ).toEqual(['ServiceAccount shop/web shop get apps sets a']);
  expect(
    added(
      '',
      role('[{nonResourceURLs: [/metrics], verbs: [get]}]', 'ClusterRole') +
        binding('ClusterRoleBinding', 'ClusterRole'),
    ),
  ).toEqual(['ServiceAccount shop/web * get  /metrics *']);
});

test('a role that nobody is bound to, and a role of others, are reported as such', () => {
  expect(added('', role('[{apiGroups: [""], resources: [pods], verbs: [get]}]'))).toEqual(['Role r shop get  pods *']);
  expect(added('', binding('ClusterRoleBinding', 'ClusterRole'))).toEqual(['ServiceAccount shop/web * *  role r *']);
});

test.each([
  ['the same', pods, pods, 0],
  ['fewer', pods, '[{apiGroups: [""], resources: [pods], verbs: [get]}]', 0],
  ['another verb', pods, '[{apiGroups: [""], resources: [pods], verbs: [delete]}]', 1],
  ['all verbs', pods, '[{apiGroups: [""], resources: [pods], verbs: ["*"]}]', 1],
  ['less than all verbs', '[{apiGroups: [""], resources: [pods], verbs: ["*"]}]', pods, 2],
  ['less than all resources', '[{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]', pods, 0],
  ['one of all subresources', '[{apiGroups: [""], resources: [pods, "*/log"], verbs: [get, list]}]', pods, 0],
  [
    'all objects, not one',
    '[{apiGroups: [""], resources: [pods], resourceNames: [a], verbs: [get]}]',
    '[{apiGroups: [""], resources: [pods], verbs: [get]}]',
    1,
  ],
  [
    'one object of all',
    '[{apiGroups: [""], resources: [pods], verbs: [get]}]',
    '[{apiGroups: [""], resources: [pods], resourceNames: [a], verbs: [get]}]',
    0,
  ],
  [
    'another group',
    '[{apiGroups: [a], resources: [pods], verbs: [get]}]',
    '[{apiGroups: [b], resources: [pods], verbs: [get]}]',
    1,
  ],
])('rights that are added: %s', (_, before, after, count) => {
  expect(added(role(before) + binding(), role(after) + binding())).toHaveLength(count);
});

test('the same role everywhere is more than in one namespace', () => {
  const one = role(pods, 'ClusterRole') + binding('RoleBinding', 'ClusterRole');
  const all = role(pods, 'ClusterRole') + binding('ClusterRoleBinding', 'ClusterRole');
  expect(added(one, all)).toHaveLength(4);
  expect(added(all, one)).toEqual([]);
});

test.each(['roleRef: 7', 'subjects: {}', 'roleRef: null\nsubjects: [null, 7]'])(
  'takes what is malformed: %s',
  (text) => {
    expect(() =>
      rights(`${head('RoleBinding', 'b')}${text}\n${head('Role', 'r')}rules: [null, 7, {verbs: [7], resources: x}]\n`),
    ).not.toThrow();
  },
);
