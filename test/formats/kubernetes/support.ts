import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';

const file = join(import.meta.dirname, '../../../fixtures/kubernetes/sound.yaml');

/** Objects of many kinds that API servers take. Each field that has to be there is there. */
export const sound: readonly KubernetesObject[] = parseDocuments(readFileSync(file, 'utf8'), file);

/** One of them, by `Kind/name`. */
export function soundOne(name: string): KubernetesObject {
  const found = sound.find(({ kind, metadata }) => `${kind}/${metadata.name}` === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

type Path = readonly (string | number)[];

/** Copies an object with another value at `path`; undefined takes away what is there. */
export function changed<T>(object: T, path: Path, value: unknown): T {
  const copy = structuredClone(object);
  let at = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

const container = ['spec', 'containers', 0];
const template = ['spec', 'template'];
const own = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec'];

/** What API servers refuse: the object, what is changed in it, and what has to be reported at which place. */
export const faults: readonly {
  readonly of: string;
  readonly at: Path;
  readonly value: unknown;
  readonly told: RegExp;
  /** Where it is reported, if not where the change is. */
  readonly place?: Path;
}[] = [
  {
    of: 'Deployment/deployment',
    at: ['spec', 'replica'],
    value: 1,
    told: /^unknown field; did you mean "replicas"\?$/,
  },
  { of: 'Pod/pod', at: [...container, 'imagePullpolicy'], value: 'Always', told: /did you mean "imagePullPolicy"/ },
  { of: 'ConfigMap/config', at: ['spec'], value: {}, told: /^unknown field$/ },
  { of: 'Pod/pod', at: ['metadata', 'lables'], value: {}, told: /did you mean "labels"/ },
  { of: 'Deployment/deployment', at: ['spec', 'replicas'], value: '2', told: /an integer, not a string$/ },
  { of: 'Deployment/deployment', at: ['spec', 'replicas'], value: 1.5, told: /an integer, not a number$/ },
  { of: 'Deployment/deployment', at: ['spec', 'replicas'], value: 2 ** 31, told: /an integer of 32 bits/ },
  { of: 'Pod/pod', at: [...container, 'env', 0, 'value'], value: 1, told: /a string, not a number; quote it$/ },
  { of: 'Pod/pod', at: [...container, 'env', 0, 'value'], value: true, told: /a string, not a boolean; quote it$/ },
  { of: 'Pod/pod', at: ['metadata', 'labels', 'app'], value: 1, told: /a string, not a number/ },
  { of: 'Pod/pod', at: ['metadata', 'annotations', 'a'], value: { b: 1 }, told: /a string, not an object$/ },
  { of: 'Pod/pod', at: ['spec', 'containers'], value: { name: 'app' }, told: /a list, not an object/ },
  { of: 'Pod/pod', at: [...container, 'stdin'], value: 'true', told: /true or false, not a string/ },
  { of: 'Pod/pod', at: [...container, 'command'], value: 'sh -c true', told: /a list, not a string/ },
  { of: 'Pod/pod', at: [...container, 'resources'], value: [], told: /an object, not a list/ },
  { of: 'Service/service', at: ['spec', 'selector'], value: 'app=a', told: /an object, not a string/ },
  { of: 'Service/service', at: ['spec', 'ports', 0, 'targetPort'], value: true, told: /an integer or a string/ },
  { of: 'Pod/pod', at: [...container, 'resources', 'limits', 'cpu'], value: '1 core', told: /a quantity such as/ },
  { of: 'Pod/pod', at: [...container, 'resources', 'limits', 'memory'], value: '1GB', told: /a quantity such as/ },
  { of: 'ConfigMap/config', at: ['binaryData', 'bytes'], value: 'no base64', told: /bytes in base64$/ },
  { of: 'Secret/secret', at: ['data', 'tls.crt'], value: 'plain-text!', told: /bytes in base64$/ },
  { of: 'Pod/pod', at: [...container, 'imagePullPolicy'], value: 'always', told: /one of Always, .*mean "Always"/ },
  { of: 'Service/service', at: ['spec', 'type'], value: 'Nodeport', told: /did you mean "NodePort"/ },
  { of: 'Deployment/deployment', at: ['apiVersion'], value: 'extensions/v1beta1', told: /it serves apps\/v1 Deploy/ },
  { of: 'CronJob/nightly', at: ['apiVersion'], value: 'batch/v1beta1', told: /there was until 1\.24; it serves batch/ },
  { of: 'Deployment/deployment', at: ['kind'], value: 'Deploymnt', told: /mean "Deployment"/, place: ['apiVersion'] },
  { of: 'ConfigMap/config', at: ['metadata', 'name'], value: 'Config_Map', told: /not a valid name for a ConfigMap/ },
  { of: 'Service/service', at: ['metadata', 'name'], value: 'a.b', told: /not a valid name for a Service/ },
  { of: 'Namespace/space', at: ['metadata', 'name'], value: 'a.b', told: /not a valid name for a Namespace/ },
  { of: 'CronJob/nightly', at: ['metadata', 'name'], value: 'a'.repeat(53), told: /52 characters at most/ },
  { of: 'Pod/pod', at: ['metadata', 'labels', 'a b'], value: 'c', told: /not a key of a label/ },
  { of: 'Pod/pod', at: ['metadata', 'labels', 'a/b/c'], value: 'c', told: /not a key of a label/ },
  { of: 'Pod/pod', at: ['metadata', 'labels', 'app'], value: 'c/d', told: /not a value of a label/ },
  { of: 'Pod/pod', at: ['metadata', 'labels', 'app'], value: 'a'.repeat(64), told: /not a value of a label/ },
  { of: 'Pod/pod', at: ['metadata', 'annotations', 'a_/b'], value: 'c', told: /not a key of an annotation/ },
  {
    of: 'Pod/pod',
    at: ['metadata', 'annotations', 'a'],
    value: 'a'.repeat(262_144),
    told: /262,144 B at most/,
    place: ['metadata', 'annotations'],
  },
  {
    of: 'Deployment/deployment',
    at: [...template, 'metadata', 'labels', 'tier'],
    value: 'b c',
    told: /not a value of a label/,
  },
  {
    of: 'Deployment/deployment',
    at: [...template, 'metadata', 'labels', 'app'],
    value: 'x',
    told: /does not match/,
    place: ['spec', 'selector', 'matchLabels', 'app'],
  },
  {
    of: 'StatefulSet/set',
    at: [...template, 'metadata'],
    value: {},
    told: /does not match the labels/,
    place: ['spec', 'selector', 'matchLabels', 'app'],
  },
  {
    of: 'Deployment/deployment',
    at: ['spec', 'selector', 'matchExpressions', 0, 'values'],
    value: ['b'],
    told: /does not match/,
    place: ['spec', 'selector', 'matchExpressions', 0],
  },
  { of: 'DaemonSet/daemons', at: ['spec', 'selector'], value: {}, told: /selects nothing/ },
  {
    of: 'Deployment/deployment',
    at: [...template, 'spec', 'restartPolicy'],
    value: 'Never',
    told: /Always here, not Never/,
  },
  {
    of: 'Job/job',
    at: [...template, 'spec', 'restartPolicy'],
    value: undefined,
    told: /OnFailure or Never here, not Always/,
  },
  {
    of: 'CronJob/nightly',
    at: ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'restartPolicy'],
    value: 'Always',
    told: /OnFailure or Never/,
  },
  { of: 'Pod/pod', at: [...container, 'image'], value: undefined, told: /^is missing$/ },
  { of: 'Pod/pod', at: [...container, 'image'], value: '', told: /^is missing$/ },
  { of: 'Pod/pod', at: [...container, 'image'], value: 'a:1 ', told: /begin or end with a space/ },
  { of: 'Pod/pod', at: [...container, 'name'], value: 'App', told: /not a valid name for a container/ },
  { of: 'Pod/pod', at: [...container, 'name'], value: 'first', told: /another container has the name first/ },
  { of: 'Pod/pod', at: ['spec', 'containers'], value: [], told: /has to have an entry/ },
  {
    of: 'Pod/pod',
    at: ['spec', 'containers', 1],
    value: { name: 'app', image: 'a' },
    told: /is there twice: name app/,
  },
  {
    of: 'Pod/pod',
    at: [...container, 'env', 1, 'name'],
    value: 'A',
    told: /is there twice: name A/,
    place: [...container, 'env', 1],
  },
  {
    of: 'Pod/pod',
    at: [...container, 'env', 1, 'value'],
    value: 'a',
    told: /may not be used beside value/,
    place: [...container, 'env', 1, 'valueFrom'],
  },
  { of: 'Pod/pod', at: [...container, 'env', 0, 'name'], value: '', told: /^is missing$/ },
  {
    of: 'Pod/pod',
    at: [...container, 'ports', 3],
    value: { containerPort: 80 },
    told: /twice: containerPort 80 and protocol TCP/,
  },
  { of: 'Pod/pod', at: [...container, 'ports', 0, 'containerPort'], value: 65_536, told: /a port from 1 to 65535/ },
  {
    of: 'Pod/pod',
    at: [...container, 'ports', 0, 'name'],
    value: 'a-name-too-long-by-one',
    told: /not a valid name for a port/,
  },
  { of: 'Pod/pod', at: [...container, 'ports', 1, 'name'], value: 'http', told: /another port has the name http/ },
  { of: 'Pod/pod', at: [...container, 'resources', 'requests', 'cpu'], value: '1001m', told: /is above the limit/ },
  { of: 'Pod/pod', at: [...container, 'volumeMounts', 0, 'name'], value: 'date', told: /there is no volume date/ },
  {
    of: 'Pod/pod',
    at: [...container, 'volumeMounts', 1, 'mountPath'],
    value: '/data',
    told: /is there twice: mountPath/,
    place: [...container, 'volumeMounts', 1],
  },
  {
    of: 'Pod/pod',
    at: ['spec', 'volumes', 0, 'secret'],
    value: { secretName: 'a' },
    told: /of one type only/,
    place: ['spec', 'volumes', 0],
  },
  { of: 'Pod/pod', at: ['spec', 'volumes', 2, 'name'], value: 'a.b', told: /not a valid name for a volume/ },
  { of: 'Service/service', at: ['spec', 'ports'], value: [], told: /has to have an entry/ },
  { of: 'Service/service', at: ['spec', 'ports', 0, 'name'], value: undefined, told: /each of several ports/ },
  { of: 'Service/service', at: ['spec', 'ports', 1, 'name'], value: 'http', told: /another port has the name/ },
  { of: 'Service/service', at: ['spec', 'ports', 0, 'port'], value: 70_000, told: /a port from 1/ },
  {
    of: 'Service/service',
    at: ['spec', 'ports', 0, 'targetPort'],
    value: 'no_port',
    told: /not a valid name for a port/,
  },
  { of: 'Service/external', at: ['spec', 'externalName'], value: undefined, told: /^is missing$/ },
  { of: 'ConfigMap/config', at: ['data', 'a/b'], value: '', told: /is not a key/ },
  {
    of: 'ConfigMap/config',
    at: ['data', 'bytes'],
    value: '',
    told: /is in data as well/,
    place: ['binaryData', 'bytes'],
  },
  { of: 'Secret/secret', at: ['stringData'], value: {}, told: /^is missing$/, place: ['data', 'tls.key'] },
  { of: 'Ingress/ingress', at: ['spec', 'rules'], value: [], told: /unless there is a defaultBackend/ },
  { of: 'Ingress/ingress', at: ['spec', 'rules', 0, 'http', 'paths', 0, 'path'], value: 'a', told: /begin with \// },
  {
    of: 'Ingress/ingress',
    at: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port'],
    value: {},
    told: /a name or a number/,
  },
  {
    of: 'Ingress/ingress',
    at: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port', 'name'],
    value: 'a',
    told: /not have both/,
    place: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'port'],
  },
  {
    of: 'Ingress/ingress',
    at: ['spec', 'rules', 0, 'http', 'paths', 2, 'backend', 'service'],
    value: { name: 'a', port: { number: 1 } },
    told: /not both/,
    place: ['spec', 'rules', 0, 'http', 'paths', 2, 'backend'],
  },
  { of: 'RoleBinding/binding', at: ['roleRef', 'kind'], value: 'Rolle', told: /ClusterRole or Role, not Rolle/ },
  {
    of: 'RoleBinding/binding',
    at: ['roleRef', 'apiGroup'],
    value: 'rbac',
    told: /has to be rbac\.authorization\.k8s\.io/,
  },
  { of: 'RoleBinding/binding', at: ['subjects', 0, 'kind'], value: 'Account', told: /ServiceAccount, User or Group/ },
  { of: 'ClusterRoleBinding/binding', at: ['roleRef', 'kind'], value: 'Role', told: /has to be ClusterRole, not Role/ },
  {
    of: 'ClusterRoleBinding/binding',
    at: ['subjects', 0],
    value: { kind: 'ServiceAccount', name: 'a' },
    told: /^is missing$/,
    place: ['subjects', 0, 'namespace'],
  },
  { of: 'ClusterRole/system:a:b', at: ['metadata', 'name'], value: 'a/b', told: /does not fit into a path/ },
  {
    of: 'Role/role',
    at: ['rules', 0],
    value: { nonResourceURLs: ['/a'], verbs: ['get'] },
    told: /only a ClusterRole/,
    place: ['rules', 0, 'nonResourceURLs'],
  },
  {
    of: 'CustomResourceDefinition/gadgets.sound.example.com',
    at: ['metadata', 'name'],
    value: 'gadget.sound.example.com',
    told: /has to be gadgets\.sound/,
  },
  {
    of: 'CustomResourceDefinition/gadgets.sound.example.com',
    at: ['spec', 'scope'],
    value: 'Namespace',
    told: /Namespaced or Cluster/,
  },
  {
    of: 'CustomResourceDefinition/gadgets.sound.example.com',
    at: ['spec', 'versions', 0, 'storage'],
    value: false,
    told: /one version with storage, not 0/,
    place: ['spec', 'versions'],
  },
  {
    of: 'CustomResourceDefinition/gadgets.sound.example.com',
    at: ['spec', 'versions', 1, 'schema'],
    value: undefined,
    told: /^is missing$/,
    place: ['spec', 'versions', 1, 'schema', 'openAPIV3Schema'],
  },
  {
    of: 'CustomResourceDefinition/gadgets.sound.example.com',
    at: [...own, 'propertys'],
    value: {},
    told: /did you mean "properties"/,
  },
  { of: 'Gadget/gadget.one', at: ['spec', 'mod'], value: 'fast', told: /unknown field; did you mean "mode"/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'mode'], value: 'fat', told: /one of fast, slow; did you mean "fast"/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'mode'], value: undefined, told: /^is missing$/ },
  { of: 'Gadget/gadget.one', at: ['spec'], value: undefined, told: /^is missing$/ },
  { of: 'Gadget/gadget.one', at: ['spec'], value: null, told: /an object, not null/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'size'], value: '1', told: /an integer, not a string/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'enabled'], value: 'yes', told: /true or false, not a string/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'port'], value: true, told: /an integer or a string, not a boolean/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'tags'], value: 'a', told: /a list, not a string/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'labels', 'a'], value: 1, told: /a string, not a number/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'rules', 0, 'name'], value: undefined, told: /^is missing$/ },
  { of: 'Gadget/gadget.one', at: ['spec', 'rules', 0, 'parts', 0, 'b'], value: 1, told: /unknown field/ },
  { of: 'Gadget/gadget.one', at: ['metadata', 'name'], value: 'A', told: /not a valid name for a Gadget/ },
  {
    of: 'Gadget/gadget.one',
    at: ['apiVersion'],
    value: 'sound.example.com/v1beta1',
    told: /does not serve v1beta1, but v1/,
  },
  { of: 'Gadget/gadget.one', at: ['extra'], value: 1, told: /unknown field/ },
];
