import type { KubernetesObject } from '../manifest/object.ts';
import { isRecord } from '../record.ts';
import { mappingsOf, withPods } from './pods.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a site sets for all Deployments of an operator, with the names that OLM has for it (`SubscriptionConfig`). */
export interface DeploymentSettings {
  /** Variables of all containers, in the place of those of the same name. */
  readonly env?: readonly Fields[] | undefined;
  readonly envFrom?: readonly Fields[] | undefined;
  /** Volumes, in the place of those of the same name. */
  readonly volumes?: readonly Fields[] | undefined;
  readonly volumeMounts?: readonly Fields[] | undefined;
  readonly tolerations?: readonly Fields[] | undefined;
  /** Of all containers, instead of their own. */
  readonly resources?: Fields | undefined;
  readonly nodeSelector?: Fields | undefined;
  /** Each of its three parts counts instead of the one there; an empty one takes that away. */
  readonly affinity?: Fields | undefined;
  /** Of Deployments and Pods, where they have none of that name. */
  readonly annotations?: Fields | undefined;
}

/** Names all that a site may set. */
export const deploymentSettings: readonly (keyof DeploymentSettings)[] = [
  'env',
  'envFrom',
  'volumes',
  'volumeMounts',
  'tolerations',
  'resources',
  'nodeSelector',
  'affinity',
  'annotations',
];

/** Returns a Deployment as a site wants it. */
export function configured(object: KubernetesObject, settings: DeploymentSettings = {}): KubernetesObject {
  const { env = [], envFrom = [], volumes = [], volumeMounts = [], tolerations = [], resources } = settings;
  const { nodeSelector, affinity } = settings;
  const changed = withPods(object, (pod) => ({
    ...pod,
    ...(Array.isArray(pod['containers'])
      ? {
          containers: mappingsOf(pod['containers']).map((container) => ({
            ...container,
            ...withEntries(container, 'env', env, named),
            ...withEntries(container, 'envFrom', envFrom, added),
            ...withEntries(container, 'volumeMounts', volumeMounts, named),
            ...(resources === undefined ? {} : { resources }),
          })),
        }
      : {}),
    ...withEntries(pod, 'volumes', volumes, named),
    ...withEntries(pod, 'tolerations', tolerations, added),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(affinity === undefined ? {} : { affinity: mergedAffinity(pod['affinity'], affinity) }),
  }));
  return annotated(changed, settings.annotations);
}

type Merge = (before: readonly Fields[], set: readonly Fields[]) => readonly Fields[];

function withEntries(of: Fields, field: string, set: readonly Fields[], merge: Merge): Fields {
  return set.length === 0 ? {} : { [field]: merge(mappingsOf(of[field]), set) };
}

/** Puts entries in the place of those of the same name, and the others behind them. */
function named(before: readonly Fields[], set: readonly Fields[]): readonly Fields[] {
  const entries = [...before];
  for (const one of set) {
    const at = entries.findIndex(({ name }) => name === one['name']);
    entries.splice(at < 0 ? entries.length : at, 1, one);
  }
  return entries;
}

/** Puts entries behind those that are there, unless they are among them. */
function added(before: readonly Fields[], set: readonly Fields[]): readonly Fields[] {
  const entries = [...before];
  const known = new Set(before.map(canonical));
  for (const one of set) {
    if (!known.has(canonical(one))) entries.push(one);
    known.add(canonical(one));
  }
  return entries;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

const parts = ['nodeAffinity', 'podAffinity', 'podAntiAffinity'] as const;

function mergedAffinity(before: unknown, set: Fields): Fields | undefined {
  if (!parts.some((part) => set[part] !== undefined)) return undefined;
  const merged: Record<string, unknown> = { ...(isRecord(before) ? before : {}) };
  for (const part of parts) {
    if (set[part] === undefined) continue;
    if (saysSomething(set[part])) merged[part] = set[part];
    else delete merged[part];
  }
  return parts.some((part) => saysSomething(merged[part])) ? merged : undefined;
}

function saysSomething(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const required = part['requiredDuringSchedulingIgnoredDuringExecution'];
  const preferred = part['preferredDuringSchedulingIgnoredDuringExecution'];
  const terms = isRecord(required) ? required['nodeSelectorTerms'] : required;
  return mappingsOf(terms).length + mappingsOf(preferred).length > 0;
}

function annotated(object: KubernetesObject, annotations: Fields = {}): KubernetesObject {
  if (Object.keys(annotations).length === 0) return object;
  const spec = object['spec'] as Fields & { readonly template: Fields & { readonly metadata?: Fields } };
  const under = (metadata: Fields | undefined): Fields => ({
    ...metadata,
    annotations: { ...annotations, ...(metadata?.['annotations'] as Fields | undefined) },
  });
  return {
    ...object,
    metadata: under(object.metadata) as KubernetesObject['metadata'],
    spec: { ...spec, template: { ...spec.template, metadata: under(spec.template.metadata) } },
  };
}
