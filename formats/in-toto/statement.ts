import { utf8 } from '../bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { checked, encodeJson } from '../json.ts';
import { listOf, textsByName, z } from '../schema.ts';
import { parseObject, requirePredicate } from './predicate.ts';

/** The `payloadType` of an envelope that holds a statement. */
export const statementMediaType = 'application/vnd.in-toto+json' as const;

/** What a statement is about (in-toto attestation framework v1, "Statement"). */
export interface StatementSubject {
  readonly name: string;
  readonly digest: Digest;
}

/**
 * Encodes a statement about one subject. It contains the predicate byte for byte, so that whoever has that can make the
 * statement again. Throws `FormatError` `attestation-invalid` if the predicate is not a JSON object.
 */
export function encodeStatement(
  { name, digest }: StatementSubject,
  predicateType: string,
  predicate: Uint8Array,
): Uint8Array {
  requirePredicate(predicate);
  return Buffer.concat([head({ name, digest }, predicateType), predicate, utf8('}')]);
}

/** Returns how many bytes `encodeStatement` makes of a predicate of `size` bytes. */
export function statementSize(subject: StatementSubject, predicateType: string, size: number): number {
  return head(subject, predicateType).length + size + 1;
}

function head({ name, digest }: StatementSubject, predicateType: string): Uint8Array {
  const before = encodeJson({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: { [algorithmOf(digest)]: hexOf(digest) } }],
    predicateType,
  });
  return Buffer.concat([before.subarray(0, -1), utf8(',"predicate":')]);
}

const statement = z.looseObject({
  _type: z.enum(['https://in-toto.io/Statement/v1', 'https://in-toto.io/Statement/v0.1']),
  subject: listOf(z.object({ digest: textsByName })).refine((subjects) => subjects.length > 0, 'must not be empty'),
  predicateType: z.string().min(1),
  predicate: z.record(z.string(), z.unknown()),
});

/** A statement that somebody else may have made. */
export interface ParsedStatement {
  readonly predicateType: string;
  /** The predicate, encoded as JSON again. */
  readonly predicate: Uint8Array;
  /** The SHA-256 digests of the subjects, in hexadecimal. */
  readonly subjects: readonly string[];
}

/** Parses a statement of version 1 or 0.1. Throws `FormatError` `attestation-invalid`. */
export function parseStatement(bytes: Uint8Array): ParsedStatement {
  const document = parseObject(bytes, 'a statement');
  const value = checked(document, statement, 'attestation-invalid', 'a statement');
  return {
    predicateType: value.predicateType,
    // The predicate as parsed: the schema would drop some of its keys.
    predicate: encodeJson(document['predicate']),
    subjects: value.subject.flatMap(({ digest }) => digest['sha256'] ?? []),
  };
}
