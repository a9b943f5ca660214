import type { KubernetesObject } from '../manifest/object.ts';
import { isRecord } from '../record.ts';

/** Changes what the Pods of a Deployment are made of. */
export function withPods(
  object: KubernetesObject,
  change: (pod: Record<string, unknown>) => Record<string, unknown>,
): KubernetesObject {
  const spec = object['spec'] as { readonly template: { readonly spec: Record<string, unknown> } };
  return { ...object, spec: { ...spec, template: { ...spec.template, spec: change(spec.template.spec) } } };
}

/** The entries of a list of mappings; none where it is not a list. */
export function mappingsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
