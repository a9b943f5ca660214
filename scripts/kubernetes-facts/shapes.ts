import type { Release, Schema } from './release.ts';
import { enforced } from './required.ts';
import { type Resource, rangeOf } from './served.ts';
import { letterOf, nameOf, refsOf, typeOf } from './types.ts';

/** What is known of a field, and of a type, over the minors. Where they differ, the newest counts. */
interface Field {
  readonly minors: number[];
  schema: Schema;
}
interface Type extends Field {
  readonly fields: Map<string, Field>;
}

/**
 * Writes the shapes of all types that lead from `roots`, over the minors: one line a type, with its fields between
 * spaces. A field is `name`, `!` if servers refuse to be without it, `@SINCE-UNTIL` where it is not there as long as
 * its type, `:` and its type as `typeOf` writes it.
 */
export function shapesOf(
  releases: ReadonlyMap<number, Release>,
  roots: ReadonlyMap<number, readonly Resource[]>,
  enums: ReadonlyMap<string, readonly string[]>,
): Record<string, string> {
  const types = new Map<string, Type>();
  for (const [minor, release] of releases) gather(release, roots.get(minor) ?? [], types);
  return Object.fromEntries([...types.keys()].sort().map((name) => [name, lineOf(name, types.get(name)!, enums)]));
}

/** Adds the types of a release that lead from `roots`. */
function gather({ minor, definitions }: Release, roots: readonly Resource[], types: Map<string, Type>): void {
  const byName = new Map(Object.entries(definitions).map(([name, schema]) => [nameOf(name), schema]));
  const kinds = new Set(roots.map(({ group, version, kind }) => `${roomOf(group)}.${version}.${kind}`));
  const waiting = [...kinds];
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const schema = byName.get(name);
    if (!schema) throw new Error(`1.${minor} has no type ${name}`);
    const type = types.get(name) ?? { minors: [], schema, fields: new Map<string, Field>() };
    types.set(name, type);
    type.minors.push(minor);
    type.schema = schema;
    for (const [field, said] of Object.entries(schema.properties ?? {})) {
      // Nobody applies a status.
      const own = kinds.has(name) && field === 'status' ? {} : said;
      const known = type.fields.get(field) ?? { minors: [], schema: own };
      type.fields.set(field, known);
      known.schema = own;
      known.minors.push(minor);
      waiting.push(...refsOf(own));
    }
  }
}

function lineOf(name: string, { minors, schema, fields }: Type, enums: ReadonlyMap<string, readonly string[]>): string {
  if (fields.size === 0) return letterOf(schema);
  const words = [...fields.keys()].sort().map((field) => {
    const known = fields.get(field)!;
    const required = enforced[name]?.includes(field) ? '!' : '';
    const range = rangeOf(known.minors, minors[0]!, minors.at(-1)!, `${name}.${field}`);
    return `${field}${required}${range}:${typeOf(known.schema, name, enums.get(`${name}.${field}`))}`;
  });
  return words.join(' ');
}

function roomOf(group: string): string {
  return group === '' ? 'core' : group.split('.')[0]!;
}
