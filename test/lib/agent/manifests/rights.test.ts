import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import { type ManifestPartName, manifestParts, manifestsOf } from '../../../../lib/agent/manifests/index.ts';
import { solutionRules } from '../../../../lib/agent/manifests/rights.ts';
import type { AccessRule, ManifestSettings } from '../../../../lib/agent/manifests/settings.ts';

const object = (apiVersion: string, kind: string, more: object = {}): KubernetesObject => {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
};
const rbac = 'rbac.authorization.k8s.io/v1';

describe('the rights for known Solutions', () => {
  test('are six verbs on the kinds that they bring, by their plural names, also those that they define', () => {
    const names = { kind: 'Datum', plural: 'data' };
    const objects = [
      object('networking.k8s.io/v1', 'Ingress'),
      object('networking.k8s.io/v1', 'NetworkPolicy'),
      object('example.com/v1', 'Datum'),
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { group: 'example.com', names } }),
    ];
    const rules = solutionRules(objects);
    expect(rules.map(({ apiGroups, resources }) => [apiGroups, resources])).toEqual([
      [[''], ['namespaces']],
      [['apiextensions.k8s.io'], ['customresourcedefinitions']],
      [['example.com'], ['data']],
      [['networking.k8s.io'], ['ingresses', 'networkpolicies']],
    ]);
    expect(new Set(rules.flatMap(({ verbs }) => verbs))).toEqual(
      new Set(['get', 'list', 'watch', 'create', 'patch', 'delete']),
    );
  });

  test('have the rules of the roles that they bring, and the right to bind to the roles of others alone', () => {
    const rule: AccessRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['update'] };
    const bound = (kind: string, name: string): object => ({ roleRef: { kind, name } });
    const rules = solutionRules([
      object(rbac, 'Role', { rules: [rule] }),
      object(rbac, 'ClusterRole', { rules: [rule] }),
      object(rbac, 'RoleBinding', bound('Role', 'web')),
      object(rbac, 'ClusterRoleBinding', bound('ClusterRole', 'view')),
    ]);
    expect(rules.slice(2)).toEqual([
      rule,
      {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['clusterroles'],
        resourceNames: ['view'],
        verbs: ['bind'],
      },
    ]);
    expect(JSON.stringify(rules)).not.toMatch(/escalate|"\*"/);
  });
});

const settings: ManifestSettings = {
  namespace: 'tools',
  image: 'solpack:1',
  args: ['agent', 'edge'],
  replicas: 2,
  server: undefined,
  schedule: '*/15 * * * *',
  archives: undefined,
  state: undefined,
  follows: { customResource: 'edge' },
  objects: [object('v1', 'ConfigMap')],
};

const named = (part: ManifestPartName, more: Partial<ManifestSettings> = {}): readonly KubernetesObject[] =>
  manifestsOf(part, { ...settings, ...more });

describe.each(manifestParts().map(({ name }) => name))('the part %s', (part) => {
  test('binds each role that it makes to its account, and puts no Pod beside what solpack remembers', () => {
    const all = named(part);
    const roles = all.filter(({ kind }) => /^(?:Cluster)?Role$/.test(kind));
    const placed = ({ kind, metadata: { name, namespace } }: KubernetesObject): string =>
      `${kind} ${namespace} ${name}`;
    const bindings = all.filter(({ kind }) => kind.endsWith('RoleBinding'));
    expect(new Set(bindings.map(placed))).toEqual(
      new Set(roles.map((one) => placed(one).replace('Role', 'RoleBinding'))),
    );
    const accounts = all.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata);
    for (const { subjects } of bindings)
      expect(accounts).toMatchObject([(subjects as [object])[0]].map(nameAndNamespace));
    const workloads = all.filter(({ apiVersion }) => /^(?:apps|batch)\//.test(apiVersion));
    expect(workloads.length).toBeGreaterThan(0);
    for (const { metadata } of workloads) expect(metadata.namespace).toBe('tools');
  });

  test('has no right that nobody asked for, where its Solutions are known, and runs as nobody in particular', () => {
    const text = JSON.stringify(named(part));
    expect(text).not.toMatch(/"verbs":\[[^\]]*"(?:\*|escalate)"/);
    expect(text).toContain('"runAsNonRoot":true');
    expect(text).toContain('"readOnlyRootFilesystem":true');
    expect(text).toContain('"drop":["ALL"]');
  });
});

function nameAndNamespace(one: object): object {
  const { name, namespace } = one as { readonly name: string; readonly namespace: string };
  return { name, namespace };
}

describe('the part agent', () => {
  test('has an own name for what is outside of its namespace, so that two agents do not share rights', () => {
    const outside = (namespace: string): string[] =>
      named('agent', { namespace }).flatMap(({ kind, metadata }) => (kind === 'ClusterRole' ? [metadata.name] : []));
    expect([outside('solpack-agent'), outside('tools')]).toEqual([['solpack-agent'], ['solpack-agent:tools']]);
  });

  test('keeps the strictest standard for Pods, unless archives are in a folder of nodes', () => {
    const standard = (more: Partial<ManifestSettings>): unknown =>
      named('agent', more).find(({ metadata }) => metadata.name === 'tools')?.metadata['labels' as never];
    const label = 'pod-security.kubernetes.io/enforce';
    expect(standard({ archives: { claim: 'archives' } })).toMatchObject({ [label]: 'restricted' });
    expect(standard({ archives: { hostPath: '/srv/solutions' } })).toMatchObject({ [label]: 'privileged' });
  });

  test('follows a ConfigMap by rights to that one, without a definition of a custom resource', () => {
    const all = named('agent', { follows: { configMap: { namespace: 'team', name: 'solutions' } } });
    expect(all.map(({ kind }) => kind)).not.toContain('CustomResourceDefinition');
    const role = all.find(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'team');
    expect(role?.['rules']).toContainEqual({
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['solutions'],
      verbs: ['get', 'list', 'watch'],
    });
  });
});
