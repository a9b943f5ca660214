import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { CONFIGURATION_GROUP, configurationDefinition } from './crd.ts';
import { podSecurity, podSpec } from './pod.ts';
import { anySolution, HOME_NAMESPACE, homeRules, lookingRules, solutionRules } from './rights.ts';
import type { AccessRule, ManifestPart, ManifestSettings } from './settings.ts';
import { account, binding, labelsOf, namespaces, role } from './shared.ts';

const NAME = 'solpack-agent';
/** Where probes are answered. */
const PROBES = 8081;

/** `solpack agent`: a Deployment that follows a SolutionsConfiguration. */
export const agentPart: ManifestPart = {
  summary: 'a Deployment that follows a SolutionsConfiguration of the cluster, and heals drift',
  objects: (settings) => {
    const { namespace, follows, objects } = settings;
    // What is outside of its own namespace has another name where there are several agents.
    const own = namespace === NAME ? NAME : `${NAME}:${namespace}`;
    const ofSolutions = objects === undefined ? anySolution : solutionRules(objects);
    return [
      ...namespaces(namespace, podSecurity(settings)),
      ...('customResource' in follows ? [configurationDefinition()] : []),
      account(NAME, namespace),
      role(own, undefined, [...lookingRules, ...ofSolutions, ...followedCluster(settings)]),
      binding(own, undefined, { namespace, name: NAME }),
      role(own, HOME_NAMESPACE, homeRules),
      binding(own, HOME_NAMESPACE, { namespace, name: NAME }),
      ...followedRoles(settings).flatMap(([place, rules]) => [
        role(own, place, rules),
        binding(own, place, { namespace, name: NAME }),
      ]),
      deployment(settings),
    ];
  },
};

/** Rights to what is followed, where that is in no namespace. */
function followedCluster({ follows }: ManifestSettings): AccessRule[] {
  if (!('customResource' in follows)) return [];
  const of = { apiGroups: [CONFIGURATION_GROUP], resourceNames: [follows.customResource] };
  return [
    { ...of, resources: ['solutionsconfigurations'], verbs: ['get', 'list', 'watch'] },
    { ...of, resources: ['solutionsconfigurations/status'], verbs: ['patch'] },
  ];
}

/** Rights by namespace: to the Lease of the leader, to what is followed there, and to the Events about it. */
function followedRoles({ namespace, follows }: ManifestSettings): [string, readonly AccessRule[]][] {
  const places = new Map<string, AccessRule[]>();
  const add = (place: string, ...rules: readonly AccessRule[]): void => {
    places.set(place, [...(places.get(place) ?? []), ...rules]);
  };
  const core = { apiGroups: [''], resources: ['configmaps'] };
  add(namespace, { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'patch'] });
  const events = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };
  if ('customResource' in follows) add('default', events);
  else {
    const { namespace: place, name } = follows.configMap;
    add(
      place,
      { ...core, resourceNames: [name], verbs: ['get', 'list', 'watch'] },
      { ...core, resourceNames: [`${name}-status`], verbs: ['get', 'patch'] },
      // A name cannot be told of what is not there yet.
      { ...core, verbs: ['create'] },
      events,
    );
  }
  return [...places];
}

function deployment(settings: ManifestSettings): KubernetesObject {
  const { namespace, replicas } = settings;
  const labels = labelsOf(NAME);
  const probe = (path: string): object => ({ httpGet: { path, port: 'probes' }, periodSeconds: 10, timeoutSeconds: 5 });
  const spec = podSpec(
    NAME,
    { ...settings, args: [...settings.args, '--probes', `:${PROBES}`] },
    {
      ports: [{ name: 'probes', containerPort: PROBES }],
      livenessProbe: probe('/healthz'),
      readinessProbe: probe('/readyz'),
    },
  );
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}
