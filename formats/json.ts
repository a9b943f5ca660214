import type { z } from 'zod';
import { text, utf8 } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';

/** JSON with keys as they were inserted, no white space: the one way this project writes JSON that gets a digest. */
export function encodeJson(value: unknown): Uint8Array {
  return utf8(JSON.stringify(value));
}

/** Parses `bytes` and checks them against `schema`; throws `FormatError` of `code` that names the field. */
export function decodeJson<T>(bytes: Uint8Array, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text(bytes, 'json-invalid'));
  } catch (cause) {
    throw new FormatError(code, `${what} is not JSON`, { cause });
  }
  return checked(value, schema, code, what);
}

/** Checks a parsed value against `schema`; throws `FormatError` of `code` that names the first wrong field. */
export function checked<T>(value: unknown, schema: z.ZodType<T>, code: FormatCode, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.length ? `${issue.path.map(String).join('.')}: ` : '';
  throw new FormatError(code, `${what}: ${path}${issue?.message ?? 'not of the expected shape'}`);
}
