import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../../../formats/record.ts';
import type { LiveObject } from '../../server/index.ts';

/** Fields that a manager owns: a tree of names (Kubernetes API, meta/v1, "FieldsV1"). */
export type Fields = Readonly<Record<string, unknown>>;

/** Who owns which fields of an object. */
export type Managed = NonNullable<LiveObject['metadata']['managedFields']>[number];

/** A step into a value: to a field of a mapping, or to an entry of a list, which names itself. */
export type OwnedStep = { readonly field: string } | { readonly entry: unknown };

/** The protocol of ports that do not state one, which is a key of theirs (core/v1). */
const USUAL = 'TCP';

/** Returns what lies below a step; undefined where nothing of it is owned. */
export function below(fields: Fields, step: OwnedStep): Fields | undefined {
  const name = 'field' in step ? `f:${step.field}` : entryName(fields, step.entry);
  return name === undefined ? undefined : asFields(fields[name]);
}

/** Decides whether nothing stands below: the field is owned as a whole. */
export function isWhole(fields: Fields): boolean {
  return Object.keys(fields).every((name) => name === '.');
}

/** Decides whether entries of a list are owned one by one. */
export function hasEntries(fields: Fields): boolean {
  return Object.keys(fields).some((name) => name.startsWith('k:') || name.startsWith('v:'));
}

/** Returns the values of the keys by which a list knows an entry; undefined where it is none of them. */
export function keysOf(fields: Fields, entry: unknown): Readonly<Record<string, unknown>> | undefined {
  const name = entryName(fields, entry);
  return name?.startsWith('k:') ? parsed(name) : undefined;
}

/** Decides whether a manager owns what steps lead to, alone or as a part of something that is owned as a whole. */
export function owns({ fieldsV1 = {} }: Managed, steps: readonly OwnedStep[]): boolean {
  let fields: Fields = fieldsV1;
  for (const [at, step] of steps.entries()) {
    if (at > 0 && isWhole(fields)) return true;
    const next = below(fields, step);
    if (next === undefined) return false;
    fields = next;
  }
  return true;
}

/** Returns the fields of both. */
export function union(a: Fields, b: Fields): Fields {
  const all: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) all[name] = union(asFields(all[name]) ?? {}, asFields(value) ?? {});
  return all;
}

/** Finds the name of an entry of a list. What the entry does not say about itself was set by default. */
function entryName(fields: Fields, entry: unknown): string | undefined {
  const names = Object.keys(fields);
  if (!isRecord(entry)) {
    return names.find((name) => name.startsWith('v:') && isDeepStrictEqual(parsedValue(name), entry));
  }
  const fits = (key: string, value: unknown): boolean =>
    key in entry ? isDeepStrictEqual(entry[key], value) : key !== 'protocol' || value === USUAL;
  const fitting = names
    .filter((name) => name.startsWith('k:'))
    .map((name) => ({ name, keys: Object.entries(parsed(name) ?? {}) }))
    .filter(({ keys }) => keys.every(([key, value]) => fits(key, value)) && keys.some(([key]) => key in entry));
  const exact = fitting.find(({ keys }) => keys.every(([key]) => key in entry));
  return (exact ?? fitting[0])?.name;
}

function parsed(name: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedValue(name);
  return isRecord(value) ? value : undefined;
}

function parsedValue(name: string): unknown {
  try {
    return JSON.parse(name.slice(2));
  } catch {
    return undefined;
  }
}

function asFields(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined;
}
