import { FormatError } from '../error.ts';
import { emitYaml } from './emit.ts';
import { parseYaml } from './yaml.ts';

/** An object as the Kubernetes API takes it: the fields that all have, and whatever its kind adds. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/**
 * The objects of a YAML or JSON text, in order, read as kubectl reads it: many documents, empty ones skipped, lists
 * (a kind that ends in `List`, with `items`) replaced by what they hold. `name` is how errors call the text. Throws
 * `FormatError` `manifest-document-invalid` with file and line (Kubernetes API conventions, "Objects").
 */
export function parseDocuments(text: string, name: string): KubernetesObject[] {
  return parseYaml(text, name, 'manifest-document-invalid').flatMap(({ value, line }) =>
    objectsOf(value, `${name}:${line}`),
  );
}

/**
 * Writes objects as YAML documents, each led by `---`, keys in the order they have. Strings that any version of YAML
 * could take for something else are quoted, so `parseDocuments` and kubectl read back the same values.
 */
export function formatDocuments(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => `---\n${emitYaml(object)}`).join('');
}

function objectsOf(value: unknown, where: string): KubernetesObject[] {
  const fail = (message: string): FormatError => new FormatError('manifest-document-invalid', `${where}: ${message}`);
  if (!isRecord(value)) throw fail('not a Kubernetes object, but a single value or a list');
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw fail('apiVersion is missing or not a string');
  if (typeof kind !== 'string' || kind === '') throw fail('kind is missing or not a string');
  if (kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item, at) => objectsOf(item, `${where}: item ${at + 1} of ${kind}`));
  }
  if (!isRecord(metadata)) throw fail(`${kind} has no metadata`);
  if (!isSegment(metadata['name'])) throw fail(`${kind} has no metadata.name that the API accepts`);
  if (metadata['namespace'] !== undefined && !isSegment(metadata['namespace'])) {
    throw fail(`${kind} ${metadata['name']} has a metadata.namespace that the API does not accept`);
  }
  return [value as KubernetesObject];
}

/** Whether `value` can be a part of an API path: what every name must be, whatever its kind adds. */
function isSegment(value: unknown): value is string {
  return typeof value === 'string' && /^(?!\.{1,2}$)[^/%\s\u0000-\u001f\u007f]{1,253}$/.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
