import { utf8 } from '../bytes.ts';
import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { checked, encodeJson } from '../json.ts';
import { listOf, textsByName, z } from '../schema.ts';
import { parseObject, requirePredicate } from './predicate.ts';

/** `payloadType` of an envelope that holds a statement. */
export const statementMediaType = 'application/vnd.in-toto+json' as const;

/** What a statement is about (in-toto attestation framework v1, "Statement"). */
export interface StatementSubject {
  readonly name: string;
  readonly digest: Digest;
}

/**
 * The bytes of a statement about one subject. The predicate is in it as it is, byte for byte, so that whoever has it can
 * make the statement once more. Throws `FormatError` `attestation-invalid` where it is not a JSON object.
 */
export function encodeStatement(
  { name, digest }: StatementSubject,
  predicateType: string,
  predicate: Uint8Array,
): Uint8Array {
  requirePredicate(predicate);
  return Buffer.concat([head({ name, digest }, predicateType), predicate, utf8('}')]);
}

/** How many bytes `encodeStatement` makes of a predicate of `size` bytes. */
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
  subject: listOf(z.object({ digest: textsByName })).refine((subjects) => subjects.length > 0),
  predicateType: z.string().min(1),
  predicate: z.record(z.string(), z.unknown()),
});

/** A statement of somebody else's making. */
export interface ParsedStatement {
  readonly predicateType: string;
  /** The predicate, written anew as JSON. */
  readonly predicate: Uint8Array;
  /** SHA-256 digests of its subjects, in hexadecimal. */
  readonly subjects: readonly string[];
}

/** Reads a statement of version 1 or 0.1. Throws `FormatError` `attestation-invalid`. */
export function parseStatement(bytes: Uint8Array): ParsedStatement {
  const document = parseObject(bytes, 'a statement');
  const value = checked(document, statement, 'attestation-invalid', 'a statement');
  return {
    predicateType: value.predicateType,
    // As it was parsed: what checks it leaves some keys out.
    predicate: encodeJson(document['predicate']),
    subjects: value.subject.flatMap(({ digest }) => digest['sha256'] ?? []),
  };
}
