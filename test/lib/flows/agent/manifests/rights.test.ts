import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import { type ManifestPartName, manifestParts, manifestsOf } from '../../../../../lib/flows/agent/manifests/index.ts';
import { type Deeds, EVERYWHERE, partRules } from '../../../../../lib/flows/agent/manifests/rights.ts';
import type { AccessRule, ManifestSettings } from '../../../../../lib/flows/agent/manifests/settings.ts';

const object = (apiVersion: string, kind: string, more: object = {}): KubernetesObject => {
  return { apiVersion, kind, metadata: { name: 'web' }, ...more };
};
const rbac = 'rbac.authorization.k8s.io/v1';

const agent: Deeds = { watches: true, installs: true, heals: true };
const loader: Deeds = { watches: false, installs: true, heals: false };
const repair: Deeds = { watches: false, installs: false, heals: true };

/** Rules of a place as `group/resource: verbs`. */
function wordsAt(place: string, objects: readonly KubernetesObject[], deeds: Deeds): string[] {
  return (partRules(objects, deeds).get(place) ?? []).map(({ apiGroups, resources, resourceNames, verbs }) => {
    return `${apiGroups}/${resources}${resourceNames === undefined ? '' : ` ${resourceNames}`}: ${verbs.join(' ')}`;
  });
}

describe('the rights for known Solutions', () => {
  const inShop = (apiVersion: string, kind: string, more: object = {}): KubernetesObject => {
    return { apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, ...more };
  };

  test('are to change objects in their namespaces alone, and to find those of their kinds', () => {
    const spec = { group: 'example.com', names: { kind: 'Datum', plural: 'data' }, scope: 'Cluster' };
    const objects = [
      inShop('networking.k8s.io/v1', 'Ingress'),
      inShop('networking.k8s.io/v1', 'NetworkPolicy'),
      object('example.com/v1', 'Datum'),
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec }),
    ];
    const all = 'list watch get create patch delete';
    expect(wordsAt(EVERYWHERE, objects, agent).slice(3)).toEqual([
      '/namespaces: get',
      '/nodes: list',
      `apiextensions.k8s.io/customresourcedefinitions: ${all}`,
      `example.com/data: ${all}`,
      'networking.k8s.io/ingresses,networkpolicies: list watch',
    ]);
    expect(wordsAt('shop', objects, agent)).toEqual([
      '/events: list',
      'networking.k8s.io/ingresses,networkpolicies: get create patch delete',
    ]);
  });

  test('are no more than a part does: a loader watches nothing, and a repair deletes what it makes anew alone', () => {
    const objects = [inShop('v1', 'ConfigMap'), inShop('v1', 'Service'), object('v1', 'Namespace')];
    const of = (deeds: Deeds): string[] => [EVERYWHERE, 'shop'].flatMap((place) => wordsAt(place, objects, deeds));
    expect(of(loader).join()).not.toMatch(/watch|horizontal/);
    expect(of(repair).slice(1)).toEqual([
      '/configmaps,nodes,services: list',
      '/namespaces: list get create patch',
      '/configmaps: get create patch delete',
      '/events: list',
      '/services: get create patch',
    ]);
  });

  test('tell why something does not come up where it is: its Pods, their logs, and its StorageClass', () => {
    const template = { spec: { template: {} } };
    const objects = [inShop('apps/v1', 'Deployment', template), inShop('v1', 'PersistentVolumeClaim')];
    const told = [EVERYWHERE, 'shop'].flatMap((place) => wordsAt(place, objects, loader));
    expect(told).toEqual(
      expect.arrayContaining([
        'storage.k8s.io/storageclasses: get',
        '/events,pods: list',
        '/pods/log: get',
        'apps/replicasets: list',
      ]),
    );
    expect(told.join()).not.toContain('autoscalers');
    expect(wordsAt(EVERYWHERE, objects, agent)).toEqual(
      expect.arrayContaining([
        'autoscaling/horizontalpodautoscalers: list',
        'autoscaling.k8s.io/verticalpodautoscalers: list',
      ]),
    );
  });

  test('have the rules of the roles that they bring, and the right to bind to the roles of others alone', () => {
    const rule: AccessRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['update'] };
    const bound = (kind: string, name: string): object => ({ roleRef: { kind, name } });
    const rules = partRules(
      [
        inShop(rbac, 'Role', { rules: [rule, rule] }),
        object(rbac, 'ClusterRole', { rules: [rule] }),
        inShop(rbac, 'RoleBinding', bound('Role', 'web')),
        inShop(rbac, 'RoleBinding', bound('ClusterRole', 'edit')),
        object(rbac, 'ClusterRoleBinding', bound('ClusterRole', 'view')),
      ],
      loader,
    );
    const bind = (name: string): AccessRule => {
      return { apiGroups: [rbac.split('/')[0]!], resources: ['clusterroles'], resourceNames: [name], verbs: ['bind'] };
    };
    expect(rules.get(EVERYWHERE)?.slice(-2)).toEqual([rule, bind('view')]);
    expect(rules.get('shop')?.slice(-2)).toEqual([rule, bind('edit')]);
    expect(JSON.stringify([...rules])).not.toMatch(/escalate|"\*"/);
  });

  test('may ask what their components ask until they are ready', () => {
    const rules = partRules([inShop('v1', 'ConfigMap')], loader, [
      { tcp: 'db/5432', namespace: 'data' },
      { apiVersion: 'example.com/v1', kind: 'Database', name: 'main', namespace: 'data', condition: 'Ready' },
    ]);
    expect(rules.get('data')).toEqual([
      { apiGroups: [''], resources: ['services/proxy'], verbs: ['get'] },
      { apiGroups: ['example.com'], resources: ['databases'], verbs: ['get'] },
    ]);
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
  approves: false,
  probes: [],
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
