import { FormatError } from '../error.ts';
import { statementMediaType } from '../in-toto/statement.ts';
import { decodeJson, encodeJson } from '../json.ts';
import { z } from '../schema.ts';
import { bundleMediaType } from './bundle.ts';

// The pattern has no group: a payload has millions of letters.
const base64 = z.string().refine((value) => !/[^A-Za-z0-9+/=]/.test(value), 'is not base64');

const bundle = z.looseObject({
  mediaType: z.literal(bundleMediaType),
  verificationMaterial: z.looseObject({ publicKey: z.looseObject({ hint: z.string() }) }),
  dsseEnvelope: z.looseObject({
    payload: base64,
    payloadType: z.literal(statementMediaType),
    signatures: z.array(z.looseObject({ sig: base64 })).length(1),
  }),
});

/** What a bundle says that holds a statement signed with a key (Sigstore protobuf-specs `Bundle`, DSSE 1.0.2). */
export interface StatementBundle {
  /** Base64 of the SHA-256 of the public key's SubjectPublicKeyInfo. It names the key, but proves nothing. */
  readonly hint: string;
  /** The statement, which is the payload of the envelope. */
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Encodes a bundle as JSON, on one line. The envelope has no `keyid`: cosign would let it take part in the decision.
 */
export function encodeStatementBundle({ hint, statement, signature }: StatementBundle): Uint8Array {
  return encodeJson({
    mediaType: bundleMediaType,
    verificationMaterial: { publicKey: { hint } },
    dsseEnvelope: {
      payload: Buffer.from(statement).toString('base64'),
      payloadType: statementMediaType,
      signatures: [{ sig: Buffer.from(signature).toString('base64') }],
    },
  });
}

/** Parses a bundle that holds a statement. Throws `FormatError` `bundle-invalid`. */
export function parseStatementBundle(bytes: Uint8Array): StatementBundle {
  const { verificationMaterial, dsseEnvelope } = decodeJson(bytes, bundle, 'bundle-invalid', 'Sigstore bundle');
  const [signature] = dsseEnvelope.signatures;
  return {
    hint: verificationMaterial.publicKey.hint,
    statement: Buffer.from(dsseEnvelope.payload, 'base64'),
    signature: Buffer.from(signature!.sig, 'base64'),
  };
}

/**
 * Parses a bundle that has exactly the form that this project writes, so that nothing can be hidden in it. Throws
 * `FormatError` `bundle-invalid`.
 */
export function parseOwnStatementBundle(bytes: Uint8Array): StatementBundle {
  const value = parseStatementBundle(bytes);
  if (Buffer.from(encodeStatementBundle(value)).equals(bytes)) return value;
  throw new FormatError('bundle-invalid', 'a Sigstore bundle that is not in the canonical form of archives');
}

/** Returns the hint in the first bytes of a bundle in this project's own form. Undefined if there is none. */
export function hintIn(head: Uint8Array): string | undefined {
  return /"hint":"([A-Za-z0-9+/=]{1,128})"/.exec(Buffer.from(head).toString('latin1'))?.[1];
}

/**
 * Bytes that a slot has beside the statement: for names, the hint, and a signature by any kind of key that is
 * supported.
 */
const ROOM = 768;

/** Returns the size of a slot for the bundle of a statement of `size` bytes: whole sectors of any disk. */
export function statementSlotSize(size: number): number {
  return 512 * Math.ceil((4 * Math.ceil(size / 3) + ROOM) / 512);
}
