import { isDeepStrictEqual } from 'node:util';
import { utf8 } from '../bytes.ts';
import { sha256 } from '../digest.ts';
import { exactJson } from '../exact-json.ts';
import { isRecord } from '../record.ts';
import type { KubernetesObject } from './documents.ts';
import { groupOf } from './namespace.ts';

/** The name of a field, or the position in a list. */
export type FieldStep = string | number;

/** A value that a rendering draws anew each time, or makes of such a value. */
export interface DrawnPlace {
  /** The object that has it, as one of the renderings has it. */
  readonly object: KubernetesObject;
  /** The fields that lead to it; empty for an object that only one of the renderings has. */
  readonly path: readonly FieldStep[];
}

/**
 * Compares two renderings of the same inputs: returns the places where they differ, in the order of the first one.
 * Objects are the same by kind and name; those left over, whose names are drawn, are the same by kind and order.
 */
export function drawnPlaces(one: readonly KubernetesObject[], other: readonly KubernetesObject[]): DrawnPlace[] {
  const twins = twinsOf(one, other);
  return one.flatMap((object): DrawnPlace[] => {
    const twin = twins.get(object);
    if (twin === undefined) return [{ object, path: [] }];
    return differences(object, twin, []).map((path) => ({ object, path }));
  });
}

/**
 * Gives a rendering the drawn values that an earlier one had at the same places of the same objects. A value that has a
 * new place, and was the same as one that is given back, is given back there too: what was made of one draw stays
 * together. An annotation in a template of Pods, such as a checksum, stays only where the ConfigMaps and Secrets stay
 * too: else it becomes their digest, and restarts the Pods. Returns undefined where a certificate or key has a new
 * place and no such value, because it may not fit to the earlier ones.
 */
export function withEarlierDraws(
  fresh: readonly KubernetesObject[],
  places: readonly DrawnPlace[],
  earlier: readonly KubernetesObject[],
): KubernetesObject[] | undefined {
  const twins = twinsOf(fresh, earlier);
  const given = new Map<unknown, unknown>();
  const found = places.map(({ object, path }) => {
    const value = valueAt(object, path);
    const twin = twins.get(object);
    const before = twin === undefined ? undefined : valueLike(object, twin, path);
    const isThere = path.length > 0 && before !== undefined && typeof before === typeof value;
    if (isThere && typeof value === 'string') given.set(value, before);
    return { object, path, value, before: isThere ? before : undefined };
  });
  const copies = new Map(fresh.map((object) => [object, structuredClone(object)]));
  for (const { object, path, value, before } of found) {
    const kept = before ?? given.get(value);
    if (kept !== undefined) put(copies.get(object)!, path, kept);
    else if (holdsKey(value)) return undefined;
  }
  const isSame = fresh.every((object) => !isRead(object) || isDeepStrictEqual(copies.get(object), twins.get(object)));
  const mark = isSame ? '' : sha256(utf8(exactJson([...copies.values()].filter(isRead))));
  for (const { object, path } of isSame ? [] : found) {
    if (path.includes('template') && path.at(-2) === 'annotations') put(copies.get(object)!, path, mark);
  }
  return fresh.map((object) => copies.get(object)!);
}

/** Decides whether Pods read an object when they start. */
function isRead({ apiVersion, kind }: KubernetesObject): boolean {
  return apiVersion === 'v1' && (kind === 'ConfigMap' || kind === 'Secret');
}

/** Returns those of some places of a rendering at which an earlier one has another value already. */
export function drawnBefore(
  fresh: readonly KubernetesObject[],
  places: readonly DrawnPlace[],
  earlier: readonly KubernetesObject[],
): DrawnPlace[] {
  const twins = twinsOf(fresh, earlier);
  return places.filter(({ object, path }) => {
    const twin = twins.get(object);
    const before = twin === undefined || path.length === 0 ? undefined : valueLike(object, twin, path);
    return before !== undefined && before !== valueAt(object, path);
  });
}

/** Returns those of some places of a rendering at which the value of an earlier one was put into `settled`. */
export function drawnKept(
  fresh: readonly KubernetesObject[],
  places: readonly DrawnPlace[],
  {
    earlier,
    settled,
  }: { readonly earlier: readonly KubernetesObject[]; readonly settled: readonly KubernetesObject[] },
): DrawnPlace[] {
  const [twins, own] = [twinsOf(fresh, earlier), new Map(fresh.map((object, at) => [object, settled[at]]))];
  return drawnBefore(fresh, places, earlier).filter(
    ({ object, path }) => valueLike(object, twins.get(object), path) === valueAt(own.get(object), path),
  );
}

/** Pairs the objects of two renderings. */
function twinsOf(
  one: readonly KubernetesObject[],
  other: readonly KubernetesObject[],
): Map<KubernetesObject, KubernetesObject> {
  const byName = Map.groupBy(other, named);
  const twins = new Map<KubernetesObject, KubernetesObject>();
  for (const object of one) {
    const twin = byName.get(named(object))?.shift();
    if (twin !== undefined) twins.set(object, twin);
  }
  const paired = new Set(twins.values());
  const left = Map.groupBy(
    other.filter((object) => !paired.has(object)),
    kindOf,
  );
  for (const object of one) {
    const twin = twins.has(object) ? undefined : left.get(kindOf(object))?.shift();
    if (twin !== undefined) twins.set(object, twin);
  }
  return twins;
}

function kindOf({ apiVersion, kind, metadata: { namespace = '' } }: KubernetesObject): string {
  return `${groupOf({ apiVersion })}/${kind} ${namespace}`;
}

function named(object: KubernetesObject): string {
  return `${kindOf(object)}/${object.metadata.name}`;
}

function differences(one: unknown, other: unknown, path: readonly FieldStep[]): (readonly FieldStep[])[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, at) => differences(item, other[at], [...path, at]));
  }
  if (isRecord(one) && isRecord(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => differences(one[name], other[name], [...path, name]));
  }
  return Object.is(one, other) ? [] : [path];
}

function valueAt(value: unknown, path: readonly FieldStep[]): unknown {
  return path.reduce((part, step) => (part as Record<FieldStep, unknown> | undefined)?.[step], value);
}

/** Goes the same way in another object. An item of a list is the one of the same `name`, where it has one. */
function valueLike(value: unknown, twin: unknown, path: readonly FieldStep[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return twin;
  const [item, other] = [valueAt(value, [step]), sameItem(value, twin, step)];
  return other === undefined ? undefined : valueLike(item, other, rest);
}

function sameItem(value: unknown, twin: unknown, step: FieldStep): unknown {
  if (!Array.isArray(value)) return isRecord(twin) ? twin[step] : undefined;
  if (!Array.isArray(twin)) return undefined;
  const item: unknown = value[Number(step)];
  if (!isRecord(item) || typeof item['name'] !== 'string') return twin[Number(step)];
  return twin.find((one: unknown) => isRecord(one) && one['name'] === item['name']);
}

function put(object: KubernetesObject, path: readonly FieldStep[], value: unknown): void {
  const last = path.at(-1);
  if (last !== undefined) (valueAt(object, path.slice(0, -1)) as Record<FieldStep, unknown>)[last] = value;
}

/** Decides whether a value is PEM (RFC 7468), as it is or in base64, or has some in it. */
function holdsKey(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsKey);
  if (typeof value !== 'string') return false;
  return value.includes(BEGIN) || Buffer.from(value, 'base64').toString('latin1').includes(BEGIN);
}

const BEGIN = '-----BEGIN ';
