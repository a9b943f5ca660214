import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { LiveObject } from '../../../lib/parts/clusters/kubernetes/server/api.ts';

/**
 * Fields of an object, as `FieldsV1` has them (Kubernetes, "Server-Side Apply"): `f:` a field, `v:` a member of a set.
 * Lists are one field each, except finalizers: what a schema says of others is not known here.
 */
export interface Fields {
  readonly [step: string]: Fields;
}

/** Who owns which fields of an object. */
export type Managed = NonNullable<LiveObject['metadata']['managedFields']>[number] & { readonly fieldsV1: Fields };

/** A field that somebody else owns, and wants otherwise. */
export interface Conflict {
  readonly manager: string;
  /** `.data.a` */
  readonly field: string;
}

type Tree = Record<string, unknown>;

/** What no manager owns: it names the object, or the server alone writes it. */
const nobodys = ['apiVersion', 'kind', 'status'];
const namesObject = ['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];

/** The fields that a configuration states. */
export function statedFields(configuration: KubernetesObject): Fields {
  const { metadata, ...rest } = configuration as unknown as Tree & { metadata: Tree };
  const own = without(rest, nobodys);
  const about = without(metadata, namesObject);
  return fieldsOf(Object.keys(about).length === 0 ? own : { ...own, metadata: about }, []);
}

/** The paths of all fields that are no maps. */
export function pathsOf(fields: Fields, path: readonly string[] = []): string[][] {
  return Object.entries(fields).flatMap(([step, below]) =>
    Object.keys(below).length === 0 ? [[...path, step]] : pathsOf(below, [...path, step]),
  );
}

/** Which of the fields that a configuration states belong to others who want them otherwise. */
export function conflicts(stated: Fields, object: Tree, live: Tree, others: readonly Managed[]): Conflict[] {
  return others.flatMap(({ manager = '', fieldsV1 }) =>
    pathsOf(stated)
      .filter((path) => owns(fieldsV1, path) && !isDeepStrictEqual(valueAt(object, path), valueAt(live, path)))
      .map((path) => ({ manager, field: `.${path.map(plain).join('.')}` })),
  );
}

/** The object after a manager has stated fields: those that he stated before, and nobody has any longer, are gone. */
export function merged(live: Tree, object: Tree, stated: Fields, before: Fields, others: readonly Managed[]): Tree {
  const result = structuredClone(live);
  for (const path of pathsOf(before)) {
    if (!owns(stated, path) && !others.some(({ fieldsV1 }) => owns(fieldsV1, path))) remove(result, path);
  }
  for (const path of pathsOf(stated)) set(result, path, valueAt(object, path));
  return result;
}

/** Fields without those of `taken`. */
export function minus(fields: Fields, taken: readonly (readonly string[])[]): Fields {
  const kept: Record<string, Fields> = {};
  for (const [step, below] of Object.entries(fields)) {
    const deeper = taken.filter(([first]) => first === step).map((path) => path.slice(1));
    if (deeper.some((path) => path.length === 0)) continue;
    const rest = deeper.length === 0 ? below : minus(below, deeper);
    if (deeper.length === 0 || Object.keys(rest).length > 0) kept[step] = rest;
  }
  return kept;
}

function fieldsOf(value: unknown, path: readonly string[]): Fields {
  if (Array.isArray(value)) {
    const isSet = path.join('.') === 'metadata.finalizers';
    return isSet ? Object.fromEntries(value.map((one) => [`v:${JSON.stringify(one)}`, {}])) : {};
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [`f:${key}`, fieldsOf(one, [...path, key])]));
}

function owns(fields: Fields, [step, ...rest]: readonly string[]): boolean {
  const below = step === undefined ? undefined : fields[step];
  return below !== undefined && (rest.length === 0 || owns(below, rest));
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return object;
  if (step.startsWith('v:')) return Array.isArray(object) && object.includes(member(step)) ? member(step) : undefined;
  return valueAt((object as Tree | undefined)?.[plain(step)], rest);
}

function set(object: Tree, [step = '', next, ...rest]: readonly string[], value: unknown): void {
  const key = plain(step);
  if (next === undefined) object[key] = structuredClone(value);
  else if (next.startsWith('v:')) object[key] = [...new Set([...((object[key] as unknown[]) ?? []), member(next)])];
  else {
    const below = typeof object[key] === 'object' && object[key] !== null ? (object[key] as Tree) : {};
    object[key] = below;
    set(below, [next, ...rest], value);
  }
}

/** Takes a field away, and the maps and sets that are empty without it. */
function remove(object: Tree, [step = '', next, ...rest]: readonly string[]): void {
  const key = plain(step);
  const below = object[key];
  if (next === undefined) delete object[key];
  else if (next.startsWith('v:')) object[key] = (below as unknown[]).filter((one) => one !== member(next));
  else if (typeof below === 'object' && below !== null) remove(below as Tree, [next, ...rest]);
  const left = object[key];
  if (typeof left === 'object' && left !== null && Object.keys(left).length === 0) delete object[key];
}

function plain(step: string): string {
  return step.replace(/^[fv]:/, '');
}

function member(step: string): unknown {
  return JSON.parse(plain(step));
}

function without(object: Tree, names: readonly string[]): Tree {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
