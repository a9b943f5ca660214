import { once, utf8 } from '../../../formats/bytes.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { CollectedFile } from './kind.ts';

/**
 * Makes the values file of values that stand in a definition. It is JSON, which every reader of YAML reads in the same
 * way; dates become strings, and whole numbers of any size stay what they are. Throws `component-invalid`.
 */
export function valuesFile(values: Readonly<Record<string, unknown>>, position: number): CollectedFile {
  const bytes = utf8(`${written(values, '')}\n`);
  return { path: `values/${position}-set.json`, mode: 0o644, size: bytes.length, open: () => once(bytes) };
}

function written(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  const block = (lines: readonly string[], [open, close]: string): string =>
    lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (Array.isArray(value)) {
    return block(
      value.map((one) => written(one, inner)),
      '[]',
    );
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new SolpackError('component-invalid', 'set', `${value} is not a value that a chart can have`, {
      hint: 'write a number or a string',
    });
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${written(one, inner)}`);
  return block(fields, '{}');
}
