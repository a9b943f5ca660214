import type { Schema } from './release.ts';

/** Names that stand for no shape of their own. */
const plain: Readonly<Record<string, string>> = {
  'api.resource.Quantity': 'q',
  'util.intstr.IntOrString': 'x',
  'pkg.runtime.RawExtension': 'o',
};

/** Shortens the name of a definition, or a reference to it: `core.v1.Container`. */
export function nameOf(definition: string): string {
  return definition.split('.').slice(-3).join('.');
}

/**
 * Writes the type of a field of the type `owner`: `s` string, `i` and `l` integers of 32 and 64 bits, `n` number, `b`
 * boolean, `q` quantity, `x` integer or string, `t` time, `y` bytes in base64, `o` object of any fields, `*` anything,
 * `[T]` list, `{T}` map, or the name of another type, short within one room. After `s`, `(a|b)` are the `values` of an
 * enumeration; after a list, `/a,b` are the keys that tell its entries apart, and `=` says that each is there once.
 */
export function typeOf(schema: Schema, owner: string, values: readonly string[] | undefined): string {
  if (schema.$ref !== undefined) return refTo(nameOf(schema.$ref), owner);
  if (schema.type === 'array') return `[${typeOf(schema.items!, owner, values)}]${keysOf(schema)}`;
  if (schema.additionalProperties) return `{${typeOf(schema.additionalProperties, owner, values)}}`;
  if (values && schema.type === 'string') return `s(${values.join('|')})`;
  return letterOf(schema);
}

/** Lists the types that a field leads to. */
export function refsOf(schema: Schema): string[] {
  if (schema.$ref !== undefined) return plain[nameOf(schema.$ref)] === undefined ? [nameOf(schema.$ref)] : [];
  return [schema.items, schema.additionalProperties].flatMap((inner) => (inner ? refsOf(inner) : []));
}

/** Writes the type of what has no parts. */
export function letterOf({ type, format }: Schema): string {
  if (type === 'integer') return format === 'int64' ? 'l' : 'i';
  if (type === 'string') return { byte: 'y', 'int-or-string': 'x', 'date-time': 't' }[format ?? ''] ?? 's';
  if (type === 'number') return 'n';
  if (type === 'boolean') return 'b';
  return type === 'object' ? 'o' : '*';
}

function keysOf(schema: Schema): string {
  if (schema['x-kubernetes-list-type'] === 'map') return `/${schema['x-kubernetes-list-map-keys']!.join(',')}`;
  return schema['x-kubernetes-list-type'] === 'set' ? '=' : '';
}

function refTo(name: string, owner: string): string {
  const room = owner.slice(0, owner.lastIndexOf('.') + 1);
  return plain[name] ?? (name.startsWith(room) ? name.slice(room.length) : name);
}
