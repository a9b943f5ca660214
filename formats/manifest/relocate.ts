import { isRecord } from '../record.ts';
import { groupKindOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';

/** The namespaces that every cluster has for Kubernetes itself: what is stated for them stays there. */
const fixed: ReadonlySet<string> = new Set(['kube-node-lease', 'kube-public', 'kube-system']);

/** Annotations whose values are `namespace/name` (cert-manager, "CA Injector"). */
const named: readonly string[] = ['cert-manager.io/inject-ca-from', 'cert-manager.io/inject-ca-from-secret'];

const ACCOUNTS = 'system:serviceaccounts:';

/** Where the objects of a Solution go, whatever namespaces they name. */
export interface Relocation {
  readonly namespace: string;
  /** The namespaces that it has elsewhere, besides those that its objects name. */
  readonly from: readonly string[];
  /** Labels of the namespace, besides those of the namespaces that are stated. */
  readonly labels: Readonly<Record<string, string>>;
  isNamespaced(object: KubernetesObject): boolean;
}

/**
 * Moves the objects of a Solution, by components, into one namespace, which comes first: what lives in namespaces, and
 * what names the namespaces that it came from: subjects of bindings, services of webhooks and APIs. Namespaces of
 * Kubernetes itself stay what they are. Text is not changed.
 */
export function relocated(
  components: readonly (readonly KubernetesObject[])[],
  { namespace, from, labels, isNamespaced }: Relocation,
): KubernetesObject[][] {
  const all = components.flat();
  const spaces = all.filter((object) => groupKindOf(object) === 'Namespace');
  const stated = all.filter(isNamespaced).flatMap((object) => object.metadata.namespace ?? []);
  const left = new Set([...from, ...spaces.map((object) => object.metadata.name), ...stated]);
  for (const one of fixed) left.delete(one);
  const place = (name: unknown): unknown => (typeof name === 'string' && left.has(name) ? namespace : name);
  const moved = components.map((objects) =>
    objects
      .filter((object) => groupKindOf(object) !== 'Namespace' || fixed.has(object.metadata.name))
      .map((object) => leading(isNamespaced(object) ? inside(object, namespace) : object, place)),
  );
  const [first = [], ...rest] = moved;
  return [[spaceOf(namespace, spaces, labels), ...first], ...rest];
}

/** Where what names a namespace is once all is moved into another one: there, unless it is with Kubernetes itself. */
export function movedTo(namespace: string, named: string | undefined): string {
  return named !== undefined && fixed.has(named) ? named : namespace;
}

/** Returns whether an object is one that all environments of a Solution share: it lives in none of them. */
export function isShared(
  object: KubernetesObject,
  environment: string,
  isNamespaced: Relocation['isNamespaced'],
): boolean {
  if (groupKindOf(object) === 'Namespace') return object.metadata.name !== environment;
  return !isNamespaced(object) || object.metadata.namespace !== environment;
}

/** Makes the namespace of what was moved, of those that it came from. */
function spaceOf(
  namespace: string,
  spaces: readonly KubernetesObject[],
  labels: Readonly<Record<string, string>>,
): KubernetesObject {
  const own = spaces.filter((object) => !fixed.has(object.metadata.name));
  const merged = (field: string): object => Object.assign({}, ...own.map((object) => object.metadata[field] ?? {}));
  const annotations = merged('annotations');
  const metadata = {
    name: namespace,
    labels: { ...merged('labels'), ...labels },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

function inside(object: KubernetesObject, namespace: string): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace: movedTo(namespace, object.metadata.namespace) } };
}

/** Lets an object name the new namespace where it names one that was left. */
function leading(object: KubernetesObject, place: (name: unknown) => unknown): KubernetesObject {
  const { annotations } = object.metadata;
  const annotated = isRecord(annotations)
    ? { ...object, metadata: { ...object.metadata, annotations: withPlaces(annotations, place) } }
    : object;
  return (leads[groupKindOf(object)] ?? ((one) => one))(annotated, place);
}

function withPlaces(annotations: Readonly<Record<string, unknown>>, place: (name: unknown) => unknown) {
  const entries = Object.entries(annotations).map(([name, value]) => {
    if (!named.includes(name) || typeof value !== 'string') return [name, value] as const;
    const [space, ...rest] = value.split('/');
    return [name, [place(space), ...rest].join('/')] as const;
  });
  return Object.fromEntries(entries);
}

/** Changes what an object says of namespaces. */
type Lead = (object: KubernetesObject, place: (name: unknown) => unknown) => KubernetesObject;

const binding: Lead = (object, place) => {
  const { subjects } = object as { subjects?: unknown };
  if (!Array.isArray(subjects)) return object;
  return { ...object, subjects: subjects.map((subject) => subjectAt(subject, place)) };
};

function subjectAt(subject: unknown, place: (name: unknown) => unknown): unknown {
  if (!isRecord(subject)) return subject;
  const { kind, name, namespace } = subject;
  if (kind === 'ServiceAccount') return { ...subject, namespace: place(namespace) };
  if (kind !== 'Group' || typeof name !== 'string' || !name.startsWith(ACCOUNTS)) return subject;
  return { ...subject, name: `${ACCOUNTS}${String(place(name.slice(ACCOUNTS.length)))}` };
}

/** Changes the field `namespace` of the mapping that a path leads to, through lists as well. */
function at(...path: readonly string[]): Lead {
  const change = (value: unknown, rest: readonly string[], place: (name: unknown) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => change(one, rest, place));
    if (!isRecord(value)) return value;
    const [name, ...more] = rest;
    if (name !== undefined) {
      return value[name] === undefined ? value : { ...value, [name]: change(value[name], more, place) };
    }
    return value['namespace'] === undefined ? value : { ...value, namespace: place(value['namespace']) };
  };
  return (object, place) => change(object, path, place) as KubernetesObject;
}

const leads: Readonly<Record<string, Lead>> = {
  'ClusterRoleBinding.rbac.authorization.k8s.io': binding,
  'RoleBinding.rbac.authorization.k8s.io': binding,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': at('webhooks', 'clientConfig', 'service'),
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': at('webhooks', 'clientConfig', 'service'),
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io': at('spec', 'paramRef'),
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io': at('spec', 'paramRef'),
  'CustomResourceDefinition.apiextensions.k8s.io': at('spec', 'conversion', 'webhook', 'clientConfig', 'service'),
  'APIService.apiregistration.k8s.io': at('spec', 'service'),
  PersistentVolume: at('spec', 'claimRef'),
};
