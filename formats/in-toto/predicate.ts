import { FormatError } from '../error.ts';
import { parseJson } from '../json.ts';
import { sizePair } from '../size-words.ts';

/** Predicate types that this project writes or looks for. */
export const predicateTypes = {
  /** SLSA provenance, version 1. */
  provenance: 'https://slsa.dev/provenance/v1',
  spdx: 'https://spdx.dev/Document',
  cyclonedx: 'https://cyclonedx.org/bom',
} as const;

/**
 * The largest predicate, in bytes. It is held in memory several times over while its statement is signed or checked.
 */
export const PREDICATE_LIMIT: number = 8 * 1024 * 1024;

/** How many names and values a predicate may have. Those of SBOMs are short. */
const PARTS = 2 ** 20;
/** The first byte of a byte order mark in UTF-8. JSON never begins with one. */
const BOM = 0xef;

/** Returns whether predicates of `type` are SBOMs, whatever version of the format its URI names. */
export function isSbomType(type: string): boolean {
  return [predicateTypes.spdx, predicateTypes.cyclonedx].some(
    (known) => type === known || type.startsWith(`${known}/`),
  );
}

/**
 * Throws `FormatError` `attestation-invalid` unless `bytes` are a JSON object in UTF-8 without a byte order mark. Only
 * then can a statement hold them as they are, as one value.
 */
export function requirePredicate(bytes: Uint8Array): void {
  parseObject(bytes, 'a predicate');
}

/** Parses the JSON object in `bytes`. Throws `FormatError` `attestation-invalid`, and calls the object `what`. */
export function parseObject(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  if (bytes.length > PREDICATE_LIMIT) {
    const [size, most] = sizePair(bytes.length, PREDICATE_LIMIT);
    throw new FormatError('attestation-invalid', `${what} has ${size}, more than ${most}`);
  }
  if (bytes[0] === BOM) throw new FormatError('attestation-invalid', `${what} begins with a byte order mark`);
  const value = parseJson(bytes, 'attestation-invalid', what, PARTS);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError('attestation-invalid', `${what} is not a JSON object`);
  }
  return value as Readonly<Record<string, unknown>>;
}
