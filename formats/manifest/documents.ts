import { PositionedError } from '../error.ts';
import { isRecord } from '../record.ts';
import { emitYaml } from './emit.ts';
import type { KubernetesObject } from './object.ts';
import { type OnRepeated, parseExactYaml, yamlProblem } from './yaml.ts';
import type { FieldPath } from './yaml-fields.ts';

export type { KubernetesObject } from './object.ts';

/**
 * Reads the objects of a YAML or JSON text, in order, as kubectl does: many documents, empty ones skipped, lists (a
 * kind that ends in `List`, with `items`) replaced by what they hold. `name` is how errors call the text. Throws
 * `FormatError` `manifest-document-invalid`, with the position, also for repeated keys, unless `onRepeated` takes
 * them (Kubernetes API conventions, "Objects").
 */
export function parseDocuments(text: string, name: string, onRepeated?: OnRepeated): KubernetesObject[] {
  return parsePlacedDocuments(text, name, onRepeated).map(({ object }) => object);
}

/** An object, and where the document that states it begins in its text, in UTF-16 code units from 0. */
export interface PlacedObject {
  readonly object: KubernetesObject;
  readonly start: number;
}

/** Reads the objects of a text as `parseDocuments` does, with their places in it. */
export function parsePlacedDocuments(text: string, name: string, onRepeated?: OnRepeated): PlacedObject[] {
  return parseExactYaml(text, name, CODE, onRepeated).flatMap(({ value, start }) => {
    const refuse: Refuse = (message, path) =>
      new PositionedError(CODE, [yamlProblem(text, start, path, message)], { textName: name });
    return objectsOf(value, refuse).map((object) => ({ object, start }));
  });
}

const CODE = 'manifest-document-invalid';

/** Makes the error about the field `path` of a document. */
type Refuse = (message: string, path: FieldPath) => PositionedError;

/**
 * Writes objects as YAML documents, each led by `---`, keys in the order they have. Strings that any version of YAML
 * could take for something else are quoted, so `parseDocuments` and kubectl read back the same values.
 */
export function formatDocuments(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${emitYaml(object)}`).join('');
}

function objectsOf(value: unknown, refuse: Refuse): KubernetesObject[] {
  if (!isRecord(value)) throw refuse('not a Kubernetes object, but a single value or a list', []);
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw refuse('apiVersion is missing, or is not a text', ['apiVersion']);
  }
  if (typeof kind !== 'string' || kind === '') throw refuse('kind is missing, or is not a text', ['kind']);
  if (kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item, at) =>
      objectsOf(item, (message, path) => refuse(`item ${at + 1} of ${kind}: ${message}`, ['items', at, ...path])),
    );
  }
  if (!isRecord(metadata)) throw refuse(`${kind} has no metadata`, ['metadata']);
  const { name, namespace, generateName } = metadata;
  if (name === undefined && generateName !== undefined) {
    const message = `${kind} has metadata.generateName and no name, so each install would make one more; give it a metadata.name`;
    throw refuse(message, ['metadata', 'generateName']);
  }
  if (!isSegment(name)) throw refuse(`${kind} has no metadata.name that the API accepts`, ['metadata', 'name']);
  if (namespace !== undefined && !isSegment(namespace)) {
    const message = `${kind} ${name} has a metadata.namespace that the API does not accept`;
    throw refuse(message, ['metadata', 'namespace']);
  }
  return [value as KubernetesObject];
}

/** Whether `value` can be a part of an API path: what every name must be, whatever its kind adds. */
function isSegment(value: unknown): value is string {
  return typeof value === 'string' && /^(?!\.{1,2}$)[^/%\s\u0000-\u001f\u007f]{1,253}$/.test(value);
}
