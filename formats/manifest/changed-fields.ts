import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../record.ts';

/**
 * Lists the fields in which two values differ, with dots between their names and numbers of entries: the deepest ones
 * that both have, or that one of them lacks.
 */
export function changedFields(before: unknown, after: unknown, path: readonly string[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const isPair = (isRecord(before) && isRecord(after)) || (Array.isArray(before) && Array.isArray(after));
  if (!isPair) return [path.map((name) => name.replaceAll('.', '\\.')).join('.')];
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...from.keys(), ...to.keys()]);
  return [...names].flatMap((name) => changedFields(from.get(name), to.get(name), [...path, name]));
}
