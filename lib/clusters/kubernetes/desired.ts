import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { groupOf } from '../../../formats/manifest/namespace.ts';
import { SolpackError } from '../../errors.ts';
import { nameOf, type ObjectName, wordsOf } from './api.ts';
import { PART_OF } from './applyset.ts';

/** What only the server writes; manifests that were read from a cluster have it, and server-side apply refuses it. */
const serverOwned = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'] as const;

/** Which object it is, whatever version it is written in: two with the same key are one object. */
export function objectKey({ apiVersion, kind, name, namespace = '' }: ObjectName): string {
  return `${groupOf({ apiVersion })}/${kind} ${namespace}/${name}`;
}

/**
 * An object in the one form that is applied: in a namespace (`default`, as with kubectl) or in none, as its kind wants,
 * and without what only the server writes. The clear text of a Secret becomes `data`, since of `stringData` the server
 * does not remember who wrote it.
 */
export function normalized(object: KubernetesObject, namespaced: boolean): KubernetesObject {
  const { namespace, ...rest } = object.metadata;
  const metadata: Record<string, unknown> = { ...rest };
  for (const field of serverOwned) delete metadata[field];
  const place = namespaced ? { namespace: namespace ?? 'default' } : {};
  return clearText({ ...object, metadata: { ...metadata, name: rest.name, ...place } });
}

/** The object as a member of the ApplySet `set`. Throws `object-refused` where its labels are not labels. */
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
  const texts = Object.entries(stringData ?? {});
  // What is no text the server refuses, in words of its own.
  if (!texts.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return object;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  return { ...(rest as KubernetesObject), data: { ...(data as object | undefined), ...Object.fromEntries(encoded) } };
}
