import { groupOf } from './namespace.ts';
import type { KubernetesObject } from './object.ts';

/** The fields of metadata that others add to: a part that says nothing claims none of theirs. */
const shared = ['annotations', 'finalizers', 'labels', 'ownerReferences'] as const;

/** The groups whose kinds have templates of other objects; the metadata of a template is a field `metadata`. */
const templated: ReadonlySet<string> = new Set(['', 'apps', 'batch', 'resource.k8s.io']);

/**
 * Returns an object without the parts of its metadata that are null or empty, and likewise without those of its
 * templates. To server-side apply an empty map is a field with an owner until somebody else adds a key to it, such as a
 * controller its annotation; then the same object is another one. An empty field elsewhere may mean something, and
 * stays.
 */
export function withoutEmptyMetadata(object: KubernetesObject): KubernetesObject {
  if (templated.has(groupOf(object))) return withoutEmpty(object) as KubernetesObject;
  return { ...object, metadata: pruned(object.metadata) as KubernetesObject['metadata'] };
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'metadata' ? pruned(part) : withoutEmpty(part)]),
  );
}

function pruned(metadata: unknown): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([name, part]) => !isShared(name) || !isEmpty(part)));
}

function isShared(name: string): boolean {
  return (shared as readonly string[]).includes(name);
}

function isEmpty(part: unknown): boolean {
  return part === null || (typeof part === 'object' && Object.keys(part as object).length === 0);
}
