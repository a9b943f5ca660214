import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import type { FollowedSource } from '../../../parts/clusters/index.ts';
import { operatorName } from '../cluster-operator.ts';
import { approvalDefinition } from './approval-crd.ts';
import { CONFIGURATION_GROUP, configurationDefinition } from './crd.ts';
import { podSecurity, podSpec } from './pod.ts';
import { EVERYWHERE, joinedRules, type PlacedRules, partRules } from './rights.ts';
import type { AccessRule, ManifestPart, ManifestSettings } from './settings.ts';
import { account, labelsOf, namespaces, roles } from './shared.ts';

const NAME = 'solpack-agent';
/** Where probes are answered. */
const PROBES = 8081;

/** `solpack agent`: a Deployment that follows a SolutionsConfiguration. */
export const agentPart: ManifestPart = {
  summary: 'a Deployment that follows a SolutionsConfiguration of the cluster, and heals drift',
  objects: (settings) => {
    const { namespace, follows, approves, objects, probes } = settings;
    // What is outside of its own namespace has another name where there are several agents.
    const own = namespace === NAME ? NAME : `${NAME}:${namespace}`;
    const deeds = { watches: true, installs: true, heals: true };
    const rules = joinedRules(partRules(objects, deeds, probes), followedRules(settings), operatorRules(settings));
    return [
      ...namespaces(namespace, podSecurity(settings), rules),
      ...('customResource' in follows ? [configurationDefinition()] : []),
      ...(approves ? [approvalDefinition()] : []),
      account(NAME, namespace),
      ...roles(own, { name: NAME, namespace }, rules),
      deployment(settings),
    ];
  },
};

/** Rights to the Lease of the leader, to what is followed, and to the Events about it. */
function followedRules({ namespace, follows, approves }: ManifestSettings): PlacedRules {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'patch'] };
  // An Event is made by applying it.
  const events = { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] };
  if ('configMap' in follows) {
    const { namespace: place, name } = follows.configMap;
    return joinedRules(new Map([[namespace, [lease]]]), new Map([[place, [...followedMap(name), events]]]));
  }
  const of = { apiGroups: [CONFIGURATION_GROUP], resourceNames: [follows.customResource] };
  const followed: AccessRule[] = [
    { ...of, resources: ['solutionsconfigurations'], verbs: ['get', 'list', 'watch'] },
    { ...of, resources: ['solutionsconfigurations/status'], verbs: ['patch'] },
    // An agent reads what was decided, and cannot decide itself.
    ...(approves ? [{ ...of, resources: ['solutionsapprovals'], verbs: ['get', 'list', 'watch'] }] : []),
  ];
  return joinedRules(
    new Map([[EVERYWHERE, followed]]),
    new Map([[namespace, [lease]]]),
    new Map([['default', [events]]]),
  );
}

/** Rights to the ClusterOperator that it keeps, if the cluster knows that kind. */
function operatorRules({ follows }: ManifestSettings): PlacedRules {
  const source: FollowedSource =
    'configMap' in follows
      ? { kind: 'config-map', ...follows.configMap }
      : { kind: 'custom-resource', name: follows.customResource };
  const of = { apiGroups: ['config.openshift.io'], resourceNames: [operatorName(source)] };
  const rules: AccessRule[] = [
    { ...of, resources: ['clusteroperators'], verbs: ['get', 'patch'] },
    // What does not exist yet has no name to report.
    { apiGroups: of.apiGroups, resources: ['clusteroperators'], verbs: ['create'] },
    { ...of, resources: ['clusteroperators/status'], verbs: ['patch'] },
  ];
  return new Map([[EVERYWHERE, rules]]);
}

function followedMap(name: string): AccessRule[] {
  const core = { apiGroups: [''], resources: ['configmaps'] };
  return [
    { ...core, resourceNames: [name], verbs: ['get', 'list', 'watch'] },
    { ...core, resourceNames: [`${name}-status`], verbs: ['get', 'patch'] },
    // What does not exist yet has no name to report.
    { ...core, verbs: ['create'] },
  ];
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
    { hasSite: true },
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
