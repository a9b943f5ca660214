import { withoutEmptyMetadata } from '../../../../../formats/manifest/empty-metadata.ts';
import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import { nameOf, type ObjectName, wordsOf } from '../server/index.ts';
import { PART_OF } from './applyset.ts';

/**
 * Fields that only the server writes. Manifests that were read from a cluster have them, and server-side apply refuses
 * them.
 */
const serverOwned = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'] as const;

/** Returns the key of an object, which is the same in every version of its API: two objects with one key are one. */
export function objectKey({ apiVersion, kind, name, namespace = '' }: ObjectName): string {
  return `${groupOf({ apiVersion })}/${kind} ${namespace}/${name}`;
}

/**
 * Returns an object in the form in which it is applied. It has a namespace (`default`, as with kubectl) where its kind
 * is namespaced, and none elsewhere. Fields that only the server writes are left out, and so is metadata that says
 * nothing. The clear text of a Secret moves to `data`, because the server does not record who wrote `stringData`.
 */
export function normalized(raw: KubernetesObject, namespaced: boolean): KubernetesObject {
  const object = withoutEmptyMetadata(raw);
  const { namespace, ...rest } = object.metadata;
  const metadata: Record<string, unknown> = { ...rest };
  for (const field of serverOwned) delete metadata[field];
  const place = namespaced ? { namespace: namespace ?? 'default' } : {};
  return clearText({ ...object, metadata: { ...metadata, name: rest.name, ...place } });
}

/** Returns the object as a member of the ApplySet `set`. Throws `object-refused` where its labels are not labels. */
export function memberOf(object: KubernetesObject, set: string): KubernetesObject {
  const labels = object.metadata['labels'] ?? {};
  if (typeof labels !== 'object' || Array.isArray(labels)) {
    throw new SolpackError('object-refused', wordsOf(nameOf(object)), 'its metadata.labels are not names with values', {
      hint: 'correct the component that renders it',
    });
  }
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [PART_OF]: set } } };
}

function clearText(object: KubernetesObject): KubernetesObject {
  const { stringData, data, ...rest } = object as KubernetesObject & Record<string, unknown>;
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret' || typeof stringData !== 'object') return object;
  if (typeof (data ?? {}) !== 'object' || Array.isArray(data)) return object;
  const texts = Object.entries(stringData ?? {});
  // The server refuses values that are no text, with an error that says more.
  if (!texts.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return object;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  return { ...(rest as KubernetesObject), data: { ...(data as object | undefined), ...Object.fromEntries(encoded) } };
}
