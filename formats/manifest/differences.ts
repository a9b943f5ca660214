import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../record.ts';

/** Describes a field that differs between two objects. */
export interface FieldDifference {
  /**
   * Names between dots; entries of a list by their name in brackets, where each has one of its own, otherwise by their
   * number.
   */
  readonly path: string;
  /** Absent where the field was not there. */
  readonly from?: unknown;
  /** Absent where the field no longer exists. */
  readonly to?: unknown;
}

/** Compares two values field by field, down to the smallest that differ, in the order of the new one. */
export function fieldDifferences(from: unknown, to: unknown, path: string = ''): FieldDifference[] {
  if (isDeepStrictEqual(from, to)) return [];
  const [before, after] = [partsOf(from, to), partsOf(to, from)];
  if (!before || !after) return [{ path, from, to }];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((step): FieldDifference[] => {
    const place = step.startsWith('[') || path === '' ? `${path}${step}` : `${path}.${step}`;
    if (!before.has(step)) return [{ path: place, to: after.get(step) }];
    if (!after.has(step)) return [{ path: place, from: before.get(step) }];
    return fieldDifferences(before.get(step), after.get(step), place);
  });
}

/**
 * The parts of a value by how paths name them; undefined where it has none, or other ones than what it is compared
 * with.
 */
function partsOf(value: unknown, other: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value) && Array.isArray(other)) {
    const names = namesOf(value);
    const isNamed = names !== undefined && namesOf(other) !== undefined;
    if (isNamed) return new Map(value.map((entry, index) => [`[${names[index]}]`, entry]));
    // What is put in at the front of a list would move all others.
    const isPlain = [...value, ...other].every((entry) => typeof entry !== 'object' || entry === null);
    if (isPlain && value.length !== other.length) return undefined;
    return new Map(value.map((entry, index) => [String(index), entry]));
  }
  return isRecord(value) && isRecord(other) ? new Map(Object.entries(value)) : undefined;
}

function namesOf(list: readonly unknown[]): readonly string[] | undefined {
  const names = list.map((entry) => (isRecord(entry) && typeof entry['name'] === 'string' ? entry['name'] : undefined));
  const known = names.filter((name) => name !== undefined);
  return known.length === list.length && new Set(known).size === list.length ? known : undefined;
}
