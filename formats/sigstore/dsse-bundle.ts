import { FormatError } from '../error.ts';
import { statementMediaType } from '../in-toto/statement.ts';
import { decodeJson, encodeJson } from '../json.ts';
import { z } from '../schema.ts';
import { bundleMediaType } from './bundle.ts';

// No pattern with a group: a payload has millions of letters.
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

/** What a bundle with a signed statement, made with a key, says (Sigstore protobuf-specs `Bundle`, DSSE 1.0.2). */
export interface StatementBundle {
  /** Base64 of the SHA-256 of the public key's SubjectPublicKeyInfo: names the key, proves nothing. */
  readonly hint: string;
  /** The statement: the payload of the envelope. */
  readonly statement: Uint8Array;
  readonly signature: Uint8Array;
}

/** The bytes of a bundle: JSON, one line. The envelope has no `keyid`, which cosign would take for part of the decision. */
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

/** Reads a bundle that holds a statement. Throws `FormatError` `bundle-invalid`. */
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
 * The same for a bundle that has exactly the form of this project's own: nothing can be hidden in it. Throws `FormatError`
 * `bundle-invalid`.
 */
export function parseOwnStatementBundle(bytes: Uint8Array): StatementBundle {
  const value = parseStatementBundle(bytes);
  if (Buffer.from(encodeStatementBundle(value)).equals(bytes)) return value;
  throw new FormatError('bundle-invalid', 'a Sigstore bundle that is not written in the one form that archives hold');
}

/** The hint in the first bytes of a bundle of this project's own form; undefined where there is none. */
export function hintIn(head: Uint8Array): string | undefined {
  return /"hint":"([A-Za-z0-9+/=]{1,128})"/.exec(Buffer.from(head).toString('latin1'))?.[1];
}

/** Room for what is not the statement: names, the hint, and a signature of any key that archives are signed with. */
const ROOM = 768;

/** Bytes of a slot for the bundle of a statement of `size` bytes: whole sectors of every disk. */
export function statementSlotSize(size: number): number {
  return 512 * Math.ceil((4 * Math.ceil(size / 3) + ROOM) / 512);
}
