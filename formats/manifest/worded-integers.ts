import { isRecord } from '../record.ts';

/**
 * Returns a value with strings in the place of integers that a number cannot keep, for tools that make floats of them;
 * `withIntegers` takes that back. No string of the value may begin with `mark`.
 */
export function wordedIntegers(value: unknown, mark: string): unknown {
  return changed(value, (part) => (typeof part === 'bigint' ? `${mark}${part}` : part));
}

/** Returns a value with the integers for which `wordedIntegers` had put strings. */
export function withIntegers<T>(value: T, mark: string): T {
  const restored = (part: unknown): unknown =>
    typeof part === 'string' && part.startsWith(mark) ? BigInt(part.slice(mark.length)) : part;
  return changed(value, restored) as T;
}

function changed(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (!isRecord(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change)]));
}
