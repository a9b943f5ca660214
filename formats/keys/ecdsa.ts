import { integerOf, sequence } from './der.ts';

/**
 * Converts an ECDSA signature from `r` and `s` of equal length (IEEE P1363) to an `ECDSA-Sig-Value` in DER (RFC 3279
 * §2.2.3).
 */
export function encodeEcdsa(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  return sequence(integerOf(raw.subarray(0, half)), integerOf(raw.subarray(half)));
}
