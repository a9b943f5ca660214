import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { isRecord } from '../../../../../../formats/record.ts';
import type { FieldDrift } from '../../../presence.ts';
import type { LiveObject } from '../../server/index.ts';
import {
  below,
  type Fields,
  hasEntries,
  isWhole,
  keysOf,
  type Managed,
  type OwnedStep,
  owns,
  union,
} from './owned-fields.ts';

/** What names an object, or is written by the server alone: nobody owns it. */
const nobodys: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.generateName',
  'status',
]);

/** The names by which entries of a list are distinguished where nobody owns any. */
const usualKeys = ['name', 'key', 'mountPath', 'type', 'ip', 'uid'];

/** A field that has drifted, and the way to it. */
export interface Drifted extends FieldDrift {
  readonly steps: readonly OwnedStep[];
  /** The subresource by which it was set; '' is the object itself. */
  readonly subresource: string;
}

/**
 * Finds the fields of an object that are not as `manager` applied them. It owns all fields that it applied, until
 * somebody sets one otherwise or removes it (server-side apply, "Field management"): so that a field which is still its
 * own needs no look. Fields that somebody has added are no drift. Pure.
 */
export function driftOf(wanted: KubernetesObject, live: LiveObject, manager: string): Drifted[] {
  const entries = live.metadata.managedFields ?? [];
  const isOwn = (entry: Managed): boolean =>
    entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '';
  const own = entries.filter(isOwn).map(({ fieldsV1 }) => fieldsV1 ?? {});
  const others = entries.filter((entry) => !isOwn(entry));
  const found: Drifted[] = [];
  const report = (place: Place, value: unknown, now: unknown): void => {
    const setter = now === undefined ? undefined : newestOwner(others, place.steps);
    found.push({
      path: place.path,
      wanted: value,
      found: now ?? null,
      manager: setter?.manager ?? null,
      since: typeof setter?.['time'] === 'string' ? setter['time'] : null,
      steps: place.steps,
      subresource: setter?.subresource ?? '',
    });
  };
  compare({ path: '', steps: [] }, wanted, live, own.reduce<Fields>(union, {}), report);
  return found;
}

interface Place {
  readonly path: string;
  readonly steps: readonly OwnedStep[];
}

type Report = (place: Place, wanted: unknown, found: unknown) => void;

/** Looks at what is stated at a place. `fields` is what is owned there; undefined where nothing is. */
function compare(place: Place, wanted: unknown, found: unknown, fields: Fields | undefined, report: Report): void {
  if (nobodys.has(place.path) || wanted === null) return;
  const isMapping = isRecord(wanted) && Object.keys(wanted).length > 0;
  const isList = Array.isArray(wanted) && wanted.length > 0;
  // Nobody owns a list without entries.
  if (Array.isArray(wanted) && !isList) return;
  if (fields !== undefined && place.path !== '' && isWhole(fields)) return;
  const isGone = found === undefined && 'field' in (place.steps.at(-1) ?? {});
  if (isMapping && (fields !== undefined || isRecord(found) || isGone)) {
    for (const [field, value] of Object.entries(wanted)) {
      const there = isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined;
      compare(into(place, { field }, field), value, there, fields && below(fields, { field }), report);
    }
  } else if (isList && (fields === undefined ? Array.isArray(found) : hasEntries(fields))) {
    compareEntries(place, wanted, Array.isArray(found) ? found : [], fields ?? {}, report);
  } else if (fields === undefined && !isSame(wanted, found)) report(place, wanted, found);
}

function compareEntries(
  place: Place,
  wanted: readonly unknown[],
  found: readonly unknown[],
  fields: Fields,
  report: Report,
): void {
  // Lists without keys, and sets that somebody has set, count as a whole.
  if (!hasEntries(fields) && usualKeyOf(wanted) === undefined) {
    if (!isSame(wanted, found)) report(place, wanted, found);
    return;
  }
  for (const [index, entry] of wanted.entries()) {
    const name = isRecord(entry) && typeof entry['name'] === 'string' ? `[${entry['name']}]` : String(index);
    const there = found.find((one) => isEntry(entry, one, fields, wanted));
    compare(into(place, { entry }, name), entry, there, below(fields, { entry }), report);
  }
}

/** Decides whether an entry of a list that was found is the one that is stated. */
function isEntry(entry: unknown, other: unknown, fields: Fields, all: readonly unknown[]): boolean {
  if (!isRecord(entry) || !isRecord(other)) return isDeepStrictEqual(entry, other);
  const keys = keysOf(fields, entry);
  if (keys !== undefined) return Object.entries(keys).every(([key, value]) => isDeepStrictEqual(other[key], value));
  const usual = usualKeyOf(all);
  return usual !== undefined && isDeepStrictEqual(entry[usual], other[usual]);
}

function usualKeyOf(list: readonly unknown[]): string | undefined {
  return usualKeys.find((key) => list.every((entry) => isRecord(entry) && typeof entry[key] === 'string'));
}

/** Decides whether a value is what is stated, defaults of the server aside. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(found)) {
    return wanted.length === found.length && wanted.every((entry, index) => isSame(entry, found[index]));
  }
  // A server keeps an integer as a number of 64 bits where that is what its field takes.
  if (typeof wanted === 'bigint' && typeof found === 'number') return Number(wanted) === found;
  if (!isRecord(wanted) || !isRecord(found)) return isDeepStrictEqual(wanted, found);
  return Object.entries(wanted).every(([field, value]) => value === null || isSame(value, found[field]));
}

function newestOwner(entries: readonly Managed[], steps: readonly OwnedStep[]): Managed | undefined {
  const time = (entry: Managed): string => (typeof entry['time'] === 'string' ? entry['time'] : '');
  return entries
    .filter((entry) => owns(entry, steps))
    .reduce<Managed | undefined>((last, entry) => (last && time(last) > time(entry) ? last : entry), undefined);
}

function into({ path, steps }: Place, step: OwnedStep, name: string): Place {
  return { path: path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`, steps: [...steps, step] };
}
