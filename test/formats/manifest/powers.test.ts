import { describe, expect, test } from 'vitest';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { grantedRights } from '../../../formats/manifest/powers.ts';

const role = (rules: string, name = 'r', kind = 'ClusterRole'): string =>
  `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}${kind === 'Role' ? ', namespace: shop' : ''}}\nrules: ${rules}\n`;
const binding = (name = 'r', of = 'ClusterRole', kind = 'ClusterRoleBinding', who = 'web'): string =>
  `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {name: ${name}-${who}${kind === 'RoleBinding' ? ', namespace: shop' : ''}}\nroleRef: {kind: ${of}, name: ${name}}\nsubjects: [{kind: ServiceAccount, name: ${who}, namespace: shop}]\n`;

/** What reaches further than it seems, of the first subject. */
const powers = (yaml: string): (string | undefined)[] =>
  grantedRights(parseDocuments(yaml, 'a.yaml'))[0]!.rights.map(({ power }) => power);
const powerOf = (rule: string): string | undefined => powers(role(`[${rule}]`) + binding())[0];

describe('a right', () => {
  test.each([
    ['{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}', 'may do everything'],
    [
      '{apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [escalate]}',
      'may give itself any right',
    ],
    ['{apiGroups: ["*"], resources: ["*"], verbs: [bind]}', 'may give itself any right'],
    ['{apiGroups: [""], resources: [users], verbs: [impersonate]}', 'may act as others'],
    ['{apiGroups: [""], resources: [secrets], verbs: [list]}', 'reads the Secrets of all namespaces'],
    ['{apiGroups: [""], resources: ["*"], verbs: [watch]}', 'reads the Secrets of all namespaces'],
    ['{apiGroups: [""], resources: [serviceaccounts/token], verbs: [create]}', 'makes tokens of ServiceAccounts'],
    ['{apiGroups: [""], resources: [pods/exec], verbs: [create]}', 'runs commands in Pods'],
    ['{apiGroups: [""], resources: ["*/exec"], verbs: ["*"]}', 'runs commands in Pods'],
    ['{apiGroups: [""], resources: [pods/ephemeralcontainers], verbs: [patch]}', 'puts containers into Pods'],
    [
      '{apiGroups: [""], resources: [nodes/proxy], verbs: [get]}',
      'controls kubelets, past all checks of the API server',
    ],
    [
      '{apiGroups: [admissionregistration.k8s.io], resources: [mutatingwebhookconfigurations], verbs: [update]}',
      'sees and changes what others send to the API server',
    ],
    [
      '{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests/approval], verbs: [update]}',
      'issues certificates',
    ],
    ['{apiGroups: [apps], resources: [deployments], verbs: [create]}', 'runs containers in all namespaces'],
    ['{apiGroups: [""], resources: [persistentvolumes], verbs: [create]}', 'reaches files of nodes'],
    [
      '{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [patch]}',
      'changes what the API server serves',
    ],
    ['{apiGroups: [example.com], resources: ["*"], verbs: [get]}', 'a wildcard, which also covers future resources'],
  ])('by %s is named: %s', (rule, power) => {
    expect(powerOf(rule)).toBe(power);
  });

  test.each([
    '{apiGroups: [""], resources: [configmaps], verbs: [get, list]}',
    '{apiGroups: [""], resources: [secrets], verbs: [get], resourceNames: [one]}',
    '{apiGroups: [""], resources: [secrets], verbs: [create]}',
    '{apiGroups: [apps], resources: [deployments], verbs: [get]}',
    '{nonResourceURLs: [/metrics], verbs: [get]}',
  ])('by %s is not', (rule) => {
    expect(powerOf(rule)).toBeUndefined();
  });

  test('within a namespace is another than everywhere', () => {
    const rule = '[{apiGroups: [""], resources: [secrets], verbs: [get]}]';
    expect(powers(role(rule, 'r', 'Role') + binding('r', 'Role', 'RoleBinding'))).toEqual([
      'reads the Secrets of its namespace',
    ]);
  });

  test('of a role of others is named, and cluster-admin is everything', () => {
    expect(powers(binding('cluster-admin'))).toEqual(['may do everything']);
    expect(powers(binding('others'))).toEqual(['everything that a role of others allows']);
  });
});

describe('what accounts may do', () => {
  test('is reported with what reaches furthest first, of rights and of accounts, and verbs together', () => {
    const rules =
      '[{apiGroups: [""], resources: [configmaps], verbs: [list, get]}, {apiGroups: [""], resources: [pods/exec], verbs: [create]}, {apiGroups: [""], resources: [secrets], verbs: [get]}]';
    const all =
      role('[{apiGroups: [""], resources: [pods], verbs: [get]}]', 'weak') +
      binding('weak', 'ClusterRole', 'ClusterRoleBinding', 'aaa') +
      role(rules) +
      binding();
    expect(
      grantedRights(parseDocuments(all, 'a.yaml')).map(({ subject, rights }) => [
        subject,
        rights.map(({ verbs, resource }) => `${verbs.join(',')} ${resource}`),
      ]),
    ).toEqual([
      ['ServiceAccount shop/web', ['get secrets', 'create pods/exec', 'get,list configmaps']],
      ['ServiceAccount shop/aaa', ['get pods']],
    ]);
  });
});
