import { decodeUniqueJson, encodeJson } from '../json.ts';
import { z } from '../schema.ts';

/** The media type of a Sigstore bundle, version 0.3. */
export const bundleMediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json' as const;

// Base64 in its canonical form (RFC 4648 section 3.5), so that no bit can change unnoticed.
const base64 = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').toString('base64') === value, { error: 'is not base64' });

const bundle = z.looseObject({
  mediaType: z.literal(bundleMediaType),
  verificationMaterial: z.looseObject({ publicKey: z.looseObject({ hint: z.string() }) }),
  // A bundle holds one of the two (protobuf-specs `Bundle.content`).
  dsseEnvelope: z.undefined({ error: 'it signs an attestation, not the bytes themselves' }).optional(),
  messageSignature: z.looseObject({
    messageDigest: z.looseObject({ algorithm: z.literal('SHA2_256'), digest: base64 }),
    signature: base64,
  }),
});

/** What a bundle says whose signature covers a message and was made with a key (Sigstore protobuf-specs `Bundle`). */
export interface MessageBundle {
  /** Base64 of the SHA-256 of the public key's SubjectPublicKeyInfo. It names the key, but proves nothing. */
  readonly hint: string;
  /** The SHA-256 of the signed message. */
  readonly messageDigest: Uint8Array;
  readonly signature: Uint8Array;
}

/** Encodes a bundle as JSON, on one line. */
export function encodeBundle(value: MessageBundle): Uint8Array {
  return encodeJson({
    mediaType: bundleMediaType,
    verificationMaterial: { publicKey: { hint: value.hint } },
    messageSignature: {
      messageDigest: { algorithm: 'SHA2_256', digest: Buffer.from(value.messageDigest).toString('base64') },
      signature: Buffer.from(value.signature).toString('base64'),
    },
  });
}

/** Parses a bundle. White space around it is skipped. Throws `FormatError` `bundle-invalid`. */
export function parseBundle(bytes: Uint8Array): MessageBundle {
  const value = decodeUniqueJson(bytes, bundle, 'bundle-invalid', 'Sigstore bundle');
  const { messageDigest, signature } = value.messageSignature;
  return {
    hint: value.verificationMaterial.publicKey.hint,
    messageDigest: Buffer.from(messageDigest.digest, 'base64'),
    signature: Buffer.from(signature, 'base64'),
  };
}
