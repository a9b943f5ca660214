import type { KubernetesObject } from './object.ts';
import type { FieldPath } from './yaml-fields.ts';

/** A string of an object, and what it is to be instead. */
export interface ChangedString {
  readonly path: FieldPath;
  readonly value: string;
}

/** Copies an object, with some of its strings changed. All that is not around them is shared with the object. */
export function changeStrings(object: KubernetesObject, changes: readonly ChangedString[]): KubernetesObject {
  let changed: unknown = object;
  for (const { path, value } of changes) changed = changedAt(changed, path, 0, value);
  return changed as KubernetesObject;
}

function changedAt(node: unknown, path: FieldPath, depth: number, value: string): unknown {
  const step = path[depth];
  if (step === undefined) return value;
  if (Array.isArray(node))
    return node.map((item, at) => (at === step ? changedAt(item, path, depth + 1, value) : item));
  const entries = Object.entries(node as object);
  return Object.fromEntries(
    entries.map(([key, child]) => [key, key === step ? changedAt(child, path, depth + 1, value) : child]),
  );
}
