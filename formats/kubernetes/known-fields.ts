import { type FieldPlace, fieldPlaceWords, isFields } from './problems.ts';
import { type ApiShape, type ApiType, type FieldShape, typeNamed, typeOfKind } from './types.ts';

/** An object of Kubernetes itself as far as the API knows its fields. */
export interface KnownFields<T> {
  readonly object: T;
  /** The fields that were left out, with dots between names. */
  readonly left: readonly string[];
}

/**
 * Leaves out the fields of an object that no version of its type has, as whoever reads it into the types of the API
 * does without knowing. An API server refuses them (server-side apply). Values of a wrong type, and kinds of others,
 * stay as they are.
 */
export function knownFields<T extends { readonly apiVersion: string; readonly kind: string }>(
  object: T,
): KnownFields<T> {
  const type = typeOfKind(object.apiVersion, object.kind);
  const left: string[] = [];
  const known = type ? ofType(type, object, [], left) : object;
  // An object without such fields stays the same one.
  return { object: left.length === 0 ? object : (known as T), left };
}

function ofType(type: ApiType, value: unknown, path: FieldPlace, left: string[]): unknown {
  if ('stands' in type) return ofShape(type.stands, value, path, left);
  return isFields(value) ? Object.fromEntries(ofFields(type.fields, value, path, left)) : value;
}

function ofFields(
  fields: ReadonlyMap<string, FieldShape>,
  value: Readonly<Record<string, unknown>>,
  path: FieldPlace,
  left: string[],
): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const place = [...path, name];
    const field = fields.get(name);
    if (field) return [[name, ofShape(field.shape, inner, place, left)]];
    left.push(fieldPlaceWords(place));
    return [];
  });
}

function ofShape(shape: ApiShape, value: unknown, path: FieldPlace, left: string[]): unknown {
  if (shape.is === 'type') {
    const type = typeNamed(shape.name);
    return type ? ofType(type, value, path, left) : value;
  }
  if (shape.is === 'list' && Array.isArray(value)) {
    return value.map((one, at) => ofShape(shape.of, one, [...path, at], left));
  }
  if (shape.is !== 'map' || !isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, ofShape(shape.of, one, [...path, name], left)]),
  );
}
