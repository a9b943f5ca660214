import { isRecord } from '../record.ts';
import type { KubernetesObject } from './object.ts';

/** How Pods name what they read (Kubernetes API, `PodSpec`): the kind, and the field with the name. */
const readers: Readonly<Record<string, readonly [kind: string, field: string]>> = {
  configMap: ['ConfigMap', 'name'],
  configMapKeyRef: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  imagePullSecrets: ['Secret', 'name'],
  nodePublishSecretRef: ['Secret', 'name'],
  secretKeyRef: ['Secret', 'name'],
  secretRef: ['Secret', 'name'],
};

/** Finds the objects whose Pods read a ConfigMap or a Secret by its name: workloads, and Pods themselves. */
export function podReaders(
  { kind, metadata: { name, namespace } }: KubernetesObject,
  objects: readonly KubernetesObject[],
): KubernetesObject[] {
  const isNamed = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isNamed);
    if (!isRecord(value)) return false;
    return Object.entries(value).some(([field, part]) => isReader(field, part) || isNamed(part));
  };
  const isReader = (field: string, part: unknown): boolean => {
    const [of, named] = field === 'secret' ? ['Secret', nameField(part)] : (readers[field] ?? []);
    return of === kind && [part].flat().some((one) => isRecord(one) && one[named!] === name);
  };
  return objects.filter((one) => one.metadata.namespace === namespace && isNamed(podSpecOf(one)));
}

/** A volume names its Secret differently from a part of a projected one does. */
function nameField(part: unknown): string {
  return isRecord(part) && 'secretName' in part ? 'secretName' : 'name';
}

function podSpecOf(object: KubernetesObject): unknown {
  if (object.kind === 'Pod') return object['spec'];
  const spec = isRecord(object['spec']) ? object['spec'] : {};
  const inner = isRecord(spec['jobTemplate']) ? spec['jobTemplate']['spec'] : spec;
  return isRecord(inner) && isRecord(inner['template']) ? inner['template']['spec'] : undefined;
}
