import { utf8 } from '../bytes.ts';
import { checked } from '../json.ts';
import { z } from '../schema.ts';
import { parseObject } from './predicate.ts';
import { statementMediaType } from './statement.ts';

/**
 * Encodes what is signed of a payload (DSSE 1.0.2, "pre-authentication encoding"). No signature of anything else is
 * also a signature of this.
 */
export function preAuthentication(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = utf8(payloadType);
  const head = utf8(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  return Buffer.concat([head, payload]);
}

const envelope = z.looseObject({
  payloadType: z.literal(statementMediaType),
  payload: z.string(),
  signatures: z.array(z.unknown()),
});

/**
 * Returns the payload of a DSSE envelope that holds a statement. Its signatures are not looked at. Throws `FormatError`
 * `attestation-invalid`.
 */
export function payloadOf(bytes: Uint8Array): Uint8Array {
  const value = checked(parseObject(bytes, 'an envelope'), envelope, 'attestation-invalid', 'an envelope');
  return Buffer.from(value.payload, 'base64');
}
