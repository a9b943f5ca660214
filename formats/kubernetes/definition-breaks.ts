import { exactJson } from '../exact-json.ts';
import { type CheckedObject, entriesOf, fieldOf, isFields, valueWords } from './problems.ts';

/** Describes why a newer definition breaks objects that are stored by an older one. */
export interface DefinitionBreak {
  /** The version of the API; absent where it is about all of them. */
  readonly version?: string;
  /** The field, with dots between names and `[]` for the entries of lists and maps; '' is the object itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * Finds what a newer CustomResourceDefinition does not take that an older one took: versions that are dropped, fields
 * that are gone, of another type or newly required, values of enumerations that are gone (apiextensions.k8s.io/v1).
 */
export function definitionBreaks(before: CheckedObject, after: CheckedObject): DefinitionBreak[] {
  const [from, to] = [versionsOf(before), versionsOf(after)];
  return [
    ...scopeBreaks(before, after),
    ...[...from].flatMap(([version, old]): DefinitionBreak[] => {
      const now = to.get(version);
      if (now === undefined) return [{ version, path: '', message: 'the version is dropped' }];
      if (old.isServed && !now.isServed) return [{ version, path: '', message: 'the version is no longer served' }];
      return schemaBreaks(old.schema, now.schema, '').map((found) => ({ version, ...found }));
    }),
  ];
}

function scopeBreaks(before: CheckedObject, after: CheckedObject): DefinitionBreak[] {
  const [old, now] = [before, after].map((one) => fieldOf(fieldOf(one, 'spec'), 'scope'));
  if (typeof old !== 'string' || typeof now !== 'string' || old === now) return [];
  return [{ path: '', message: `the scope changes from ${old} to ${now}` }];
}

type Schema = Readonly<Record<string, unknown>>;

function versionsOf(definition: CheckedObject): Map<string, { isServed: boolean; schema: unknown }> {
  return new Map(
    entriesOf(fieldOf(fieldOf(definition, 'spec'), 'versions')).map((version) => [
      String(fieldOf(version, 'name')),
      {
        isServed: fieldOf(version, 'served') === true,
        schema: fieldOf(fieldOf(version, 'schema'), 'openAPIV3Schema'),
      },
    ]),
  );
}

function schemaBreaks(before: unknown, after: unknown, path: string): DefinitionBreak[] {
  if (!isFields(before) || !isFields(after)) return [];
  const [from, to] = [typeOf(before), typeOf(after)];
  if (from !== to && to !== undefined && !widens(from, to)) {
    return [{ path, message: `the type changes from ${from ?? 'anything'} to ${to}` }];
  }
  return [
    ...valueBreaks(before, after, path),
    ...fieldBreaks(before, after, path),
    ...entryBreaks(before, after, path),
  ];
}

function typeOf(schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  return typeof schema['type'] === 'string' ? schema['type'] : undefined;
}

function widens(from: string | undefined, to: string): boolean {
  if (to === 'integer or string') return from === 'integer' || from === 'string';
  return from === 'integer' && to === 'number';
}

function valueBreaks(before: Schema, after: Schema, path: string): DefinitionBreak[] {
  if (!Array.isArray(after['enum'])) return [];
  const now = new Set(after['enum'].map((value) => exactJson(value)));
  if (!Array.isArray(before['enum'])) return [{ path, message: 'takes certain values only' }];
  const gone = before['enum'].filter((value) => !now.has(exactJson(value)));
  return gone.map((value) => ({
    path,
    message: `no longer accepts ${typeof value === 'string' ? value : valueWords(value)}`,
  }));
}

function fieldBreaks(before: Schema, after: Schema, path: string): DefinitionBreak[] {
  const [old, now] = [propertiesOf(before), propertiesOf(after)];
  const isOpen = after['x-kubernetes-preserve-unknown-fields'] === true || after['additionalProperties'] !== undefined;
  const wasRequired = new Set(entriesOf(before['required']));
  const required = entriesOf(after['required']).flatMap((name): DefinitionBreak[] => {
    if (typeof name !== 'string' || wasRequired.has(name) || fieldOf(now[name], 'default') !== undefined) return [];
    return [{ path: joined(path, name), message: 'is newly required' }];
  });
  const fields = Object.entries(old).flatMap(([name, schema]): DefinitionBreak[] => {
    const place = joined(path, name);
    if (Object.hasOwn(now, name)) return schemaBreaks(schema, now[name], place);
    return isOpen ? [] : [{ path: place, message: 'is removed: what is stored in it is dropped' }];
  });
  return [...required, ...fields];
}

function propertiesOf(schema: Schema): Schema {
  return isFields(schema['properties']) ? schema['properties'] : {};
}

function entryBreaks(before: Schema, after: Schema, path: string): DefinitionBreak[] {
  return ['items', 'additionalProperties'].flatMap((part) => schemaBreaks(before[part], after[part], `${path}[]`));
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
