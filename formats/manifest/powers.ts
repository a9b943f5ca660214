import type { KubernetesObject } from './documents.ts';
import { type Right, rightsOf } from './rights.ts';

/** What somebody may do to objects of a resource. */
export interface GrantedRight {
  /** '*' is everywhere, and outside of namespaces. */
  readonly namespace: string;
  /** API group; '' is the core group, and of what is no resource. */
  readonly group: string;
  /** A resource, or a path that begins with `/`; `role NAME` stands for everything that a role of others allows. */
  readonly resource: string;
  /** The one object; '*' is all. */
  readonly name: string;
  readonly verbs: readonly string[];
  /** Why that is more than it seems, in a few words; absent where it is not. */
  readonly power?: string | undefined;
}

/** Everything that somebody may do through the objects of a Solution. */
export interface SubjectRights {
  /** `ServiceAccount namespace/name`, `User name`, `Group name`; or the role itself, where nobody is bound to it. */
  readonly subject: string;
  /** What reaches furthest comes first. */
  readonly rights: readonly GrantedRight[];
}

type Asks = (right: Right) => boolean;

const RBAC = 'rbac.authorization.k8s.io';
const core: readonly string[] = [''];
const reading = ['get', 'list', 'watch'];
const writing = ['create', 'update', 'patch'];
const workloads = [
  'pods',
  'deployments',
  'daemonsets',
  'statefulsets',
  'replicasets',
  'replicationcontrollers',
  'jobs',
  'cronjobs',
];

/** Decides whether a right has one of these verbs on one of these resources of API groups, wildcards included. */
function may(verbs: readonly string[], groups: readonly string[], resources: readonly string[]): Asks {
  return ({ verb, group, resource, name }) =>
    (verb === '*' || verbs.includes(verb)) &&
    (group === '*' || groups.includes(group)) &&
    !resource.startsWith('role ') &&
    !resource.startsWith('/') &&
    resources.some((one) => covers(resource, one)) &&
    (name === '*' || !reading.includes(verb));
}

function covers(resource: string, one: string): boolean {
  if (resource === '*' || resource === one) return true;
  return resource.startsWith('*/') && one.endsWith(resource.slice(1));
}

const everywhere: Asks = ({ namespace }) => namespace === '*';

/** What reaches further than it seems (Kubernetes, "Role Based Access Control Good Practices"), the furthest first. */
const powers: readonly (readonly [words: string, ...asks: Asks[]])[] = [
  ['may do everything', everywhere, ({ verb, group, resource }) => verb === '*' && group === '*' && resource === '*'],
  ['may do everything', everywhere, ({ resource }) => resource === 'role cluster-admin'],
  [
    'may do everything in its namespace',
    ({ verb, group, resource }) => verb === '*' && group === '*' && resource === '*',
  ],
  ['may give itself any right', may(['escalate', 'bind'], [RBAC], ['roles', 'clusterroles'])],
  [
    'may act as others',
    may(['impersonate'], core.concat('authentication.k8s.io'), ['users', 'groups', 'serviceaccounts', 'uids']),
  ],
  ['reads the Secrets of all namespaces', everywhere, may(reading, core, ['secrets'])],
  ['makes tokens of ServiceAccounts', may(['create'], core, ['serviceaccounts/token'])],
  ['runs commands in Pods', may(['create', 'get'], core, ['pods/exec', 'pods/attach'])],
  ['puts containers into Pods', may(['update', 'patch'], core, ['pods/ephemeralcontainers'])],
  ['controls kubelets, past all checks of the API server', may(['*', ...reading, ...writing], core, ['nodes/proxy'])],
  [
    'sees and changes what others send to the API server',
    may(
      writing,
      ['admissionregistration.k8s.io'],
      ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations', 'mutatingadmissionpolicies'],
    ),
  ],
  [
    'issues certificates',
    may(
      ['update', 'patch', 'approve', 'sign'],
      ['certificates.k8s.io'],
      ['certificatesigningrequests/approval', 'signers'],
    ),
  ],
  ['runs containers in all namespaces', everywhere, may(writing, ['', 'apps', 'batch'], workloads)],
  ['reaches files of nodes', may(['create'], core, ['persistentvolumes'])],
  [
    'changes what the API server serves',
    may(writing, ['apiextensions.k8s.io', 'apiregistration.k8s.io'], ['customresourcedefinitions', 'apiservices']),
  ],
  ['reads the Secrets of its namespace', may(reading, core, ['secrets'])],
  ['everything that a role of others allows', ({ resource }) => resource.startsWith('role ')],
  [
    'a wildcard, which also covers future resources',
    ({ verb, group, resource }) => [verb, group, resource].includes('*'),
  ],
];

/**
 * Lists what the bindings and roles of objects let whom do. What reaches furthest comes first, of subjects as of
 * rights.
 */
export function grantedRights(objects: readonly KubernetesObject[]): SubjectRights[] {
  const bySubject = Map.groupBy(rightsOf(objects), ({ subject }) => subject);
  return [...bySubject]
    .map(([subject, rights]) => ({ subject, rights: summed(rights) }))
    .sort((one, other) => rankOf(one.rights[0]) - rankOf(other.rights[0]) || byText(one.subject, other.subject));
}

function summed(rights: readonly Right[]): GrantedRight[] {
  const alike = Map.groupBy(rights, ({ namespace, group, resource, name }) => {
    return JSON.stringify([namespace, group, resource, name]);
  });
  return [...alike.values()]
    .map((those): GrantedRight => {
      const { namespace, group, resource, name } = those[0]!;
      const verbs = [...new Set(those.map(({ verb }) => verb))].sort();
      const power = powers.find(([, ...asks]) => those.some((right) => asks.every((ask) => ask(right))))?.[0];
      return { namespace, group, resource, name, verbs, ...(power === undefined ? {} : { power }) };
    })
    .sort((one, other) => rankOf(one) - rankOf(other) || byText(placeOf(one), placeOf(other)));
}

function rankOf(right: GrantedRight | undefined): number {
  const at = powers.findIndex(([words]) => words === right?.power);
  return at < 0 ? powers.length : at;
}

function placeOf({ namespace, group, resource, name }: GrantedRight): string {
  return [namespace, group, resource, name].join('\n');
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
