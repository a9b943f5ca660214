import { FormatError } from '../../../formats/error.ts';
import { preAuthentication } from '../../../formats/in-toto/envelope.ts';
import { statementMediaType } from '../../../formats/in-toto/statement.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { encodeStatementBundle, parseOwnStatementBundle } from '../../../formats/sigstore/dsse-bundle.ts';
import { keyIdOfHint } from '../../../formats/sigstore/hint.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { isSignature, type PublicKey } from './keys.ts';
import { type Signer, signatureBy } from './sign.ts';

/**
 * A Sigstore bundle with a DSSE signature over an in-toto statement. Throws `tool-failed` where a program does not
 * sign.
 */
export async function signStatementBy(statement: Uint8Array, signer: Signer, flow: Flow): Promise<Uint8Array> {
  const signature = await signatureBy(preAuthentication(statementMediaType, statement), signer, flow);
  return encodeStatementBundle({
    hint: Buffer.from(signer.public.keyId, 'hex').toString('base64'),
    statement,
    signature,
  });
}

/** The verdict about a bundle; `unknown` is one of a key that was not given, whose signature was not checked. */
export type StatementVerdict =
  | { readonly kind: 'valid' | 'unknown'; readonly keyId: string }
  | { readonly kind: 'invalid'; readonly keyId?: string; readonly reason: string };

/**
 * Judges a bundle that has to hold exactly `statement`. The algorithm is the key's, never the bundle's; what the bundle
 * claims only selects which key is tried. Pure.
 */
export function judgeStatement(statement: Uint8Array, bytes: Uint8Array, keys: readonly PublicKey[]): StatementVerdict {
  try {
    const bundle = parseOwnStatementBundle(bytes);
    const keyId = keyIdOfHint(bundle.hint);
    if (!Buffer.from(bundle.statement).equals(statement)) {
      return { kind: 'invalid', keyId, reason: 'its statement differs from the root' };
    }
    const known = keys.find((candidate) => candidate.keyId === keyId);
    if (!known) return { kind: 'unknown', keyId };
    if (isSignature(bundle.signature, preAuthentication(statementMediaType, statement), known)) {
      return { kind: 'valid', keyId };
    }
    return { kind: 'invalid', keyId, reason: `its signature does not verify with key ${shortKey(keyId)}` };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { kind: 'invalid', reason: error.message };
  }
}
