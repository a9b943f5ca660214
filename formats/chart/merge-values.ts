import { isRecord } from '../record.ts';

/** Values of a chart: one mapping. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Merges values as Helm does with several files: mappings field by field, everything else the later one, null included.
 */
export function mergeValues(layers: readonly Values[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
      set(merged, name, isRecord(value) ? mergeValues(isRecord(before) ? [before, value] : [value]) : value);
    }
  }
  return merged;
}

/** Makes values that have `value` at a path, and nothing else. */
export function valuesAt(path: readonly string[], value: unknown): Record<string, unknown> {
  const inner = path.reduceRight<unknown>((below, name) => set({}, name, below), value);
  return inner as Record<string, unknown>;
}

/** Leaves out what is null, which in Helm takes a default away. */
export function withoutNulls(values: Values): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== null) set(kept, name, isRecord(value) ? withoutNulls(value) : value);
  }
  return kept;
}

/** Sets a field by any name, `__proto__` included. */
function set(values: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  return Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Returns how many steps of a path values have something for: all of them, or those up to a value that is not a
 * mapping. Undefined where they say nothing about what the path leads to.
 */
export function reach(values: Values, path: readonly (string | number)[]): number | undefined {
  let value: unknown = values;
  for (const [depth, step] of path.entries()) {
    if (!isRecord(value)) return depth;
    if (!Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return path.length;
}
