import { parse } from '@iarna/toml';
import { text } from './bytes.ts';
import { FormatError } from './error.ts';
import { checked } from './json.ts';
import type { z } from './schema.ts';

/**
 * Parses `bytes` as TOML and checks the value against `schema`. Throws `FormatError` `toml-invalid` with the line or
 * the field.
 */
export function decodeToml<T>(bytes: Uint8Array, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = parse(text(bytes, 'toml-invalid'));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new FormatError('toml-invalid', message ?? 'not TOML', { cause });
  }
  return checked(value, schema, 'toml-invalid', what);
}
