import { entriesOf, type FieldPlace, fieldOf, guessAt, isFields } from './problems.ts';

/** A field that no version of a kind has. */
export interface AbsentField {
  /** From the object down to the first field that is not there. */
  readonly path: FieldPlace;
  /** What was meant, in words; empty where nothing is near. */
  readonly guess: string;
}

/** Fields that every object and every embedded resource has; what is in them no schema has to tell. */
const common: readonly unknown[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Finds the first field of a path that a CustomResourceDefinition does not have, so that an API server drops it from
 * every object (apiextensions.k8s.io/v1, "Pruning"). Undefined where one of its versions has the path, or lets through
 * what it does not name.
 */
export function absentField(definition: unknown, path: FieldPlace): AbsentField | undefined {
  const spec = fieldOf(definition, 'spec');
  // Definitions of the form before v1 keep unknown fields unless they say otherwise.
  if (fieldOf(definition, 'apiVersion') !== 'apiextensions.k8s.io/v1') return undefined;
  if (fieldOf(spec, 'preserveUnknownFields') === true) return undefined;
  const found = entriesOf(fieldOf(spec, 'versions')).map((version) =>
    absentIn(fieldOf(fieldOf(version, 'schema'), 'openAPIV3Schema'), path),
  );
  return found.includes(undefined) ? undefined : found.toSorted((a, b) => b!.path.length - a!.path.length)[0];
}

function absentIn(root: unknown, path: FieldPlace): AbsentField | undefined {
  let schema: unknown = root;
  for (const [at, step] of path.entries()) {
    if (!isFields(schema) || isUnknown(schema)) return undefined;
    const isEmbedded = at === 0 || schema['x-kubernetes-embedded-resource'] === true;
    if (isEmbedded && common.includes(step)) return undefined;
    const inner = innerOf(schema, step);
    if (inner === 'open') return undefined;
    if (inner === undefined) {
      const properties = schema['properties'];
      const guess = typeof step === 'string' && isFields(properties) ? guessAt(step, Object.keys(properties)) : '';
      return { path: path.slice(0, at + 1), guess };
    }
    schema = inner;
  }
  return undefined;
}

/** Whether a schema does not say what its values are. */
function isUnknown(schema: Readonly<Record<string, unknown>>): boolean {
  return typeof schema['type'] !== 'string' && schema['x-kubernetes-int-or-string'] !== true;
}

/** The schema of a field or an entry: `open` where there may be anything, undefined where there is nothing. */
function innerOf(schema: Readonly<Record<string, unknown>>, step: string | number): unknown {
  if (schema['type'] === 'array') return typeof step === 'number' ? (schema['items'] ?? 'open') : undefined;
  // A number may stand for the key of a map.
  if (typeof step === 'number') return 'open';
  const property = fieldOf(schema['properties'], step);
  if (property !== undefined) return property;
  const others = schema['additionalProperties'];
  if (isFields(others)) return others;
  return others === true || schema['x-kubernetes-preserve-unknown-fields'] === true ? 'open' : undefined;
}
