import { isRecord } from '../record.ts';
import type { FieldPath } from './yaml-fields.ts';

/** A field, a variable or an option that stands beside others. */
export interface Sibling {
  readonly name: string;
  readonly value: unknown;
  readonly path: FieldPath;
}

/**
 * Lists what has names in a list: variables as `{ name, value }`, and options among arguments, `--name=value` or
 * `--name value`.
 */
export function siblingsIn(values: readonly unknown[], path: FieldPath): Sibling[] {
  return values.flatMap((value, at): Sibling[] => {
    if (typeof value === 'string') {
      const [, name, text] = /^--?([\w.-]+)=(.+)$/.exec(value) ?? [];
      if (name !== undefined) return [{ name, value: text, path: [...path, at] }];
      const next: unknown = values[at + 1];
      const isOption = /^--?[\w.-]+$/.test(value) && typeof next === 'string' && !next.startsWith('-');
      return isOption ? [{ name: value.replace(/^--?/, ''), value: next, path: [...path, at + 1] }] : [];
    }
    if (!isRecord(value) || typeof value['name'] !== 'string' || !('value' in value)) return [];
    return [{ name: value['name'], value: value['value'], path: [...path, at, 'value'] }];
  });
}
