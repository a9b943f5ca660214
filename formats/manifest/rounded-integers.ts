import { isRecord } from '../record.ts';

/** An integer that a float may have come of, and its place. */
export interface CoarseInteger {
  readonly value: number;
  readonly path: string;
}

/** Finds the integers of 64 bits in a value that stand for many others, which a float cannot tell from them. */
export function coarseIntegers(value: unknown, path = ''): CoarseInteger[] {
  if (typeof value === 'number') {
    const isCoarse = Number.isInteger(value) && !Number.isSafeInteger(value) && value >= -(2 ** 63) && value <= 2 ** 64;
    return isCoarse ? [{ value, path }] : [];
  }
  if (Array.isArray(value)) return value.flatMap((one, at) => coarseIntegers(one, `${path}[${at}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => coarseIntegers(one, path === '' ? name : `${path}.${name}`));
}

/**
 * Returns the integer in `text` that became `value` since something took it for a float; undefined where there is none,
 * or where the text has `value` itself.
 */
export function roundedFrom(value: number, text: string): string | undefined {
  const same = [...text.matchAll(/-?\b[0-9]{16,20}\b/g)]
    .map(([digits]) => digits)
    .filter((one) => Number(one) === value);
  return same.includes(String(value)) ? undefined : same[0];
}
