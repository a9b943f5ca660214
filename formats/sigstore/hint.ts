/**
 * Returns the id of the key that the hint of a bundle names, in hexadecimal. cosign writes the hint as base64 of the
 * SHA-256 of the key's SubjectPublicKeyInfo. A hint in any other form names no known key, and is returned as it is:
 * else one form could be replaced by another unnoticed.
 */
export function keyIdOfHint(hint: string): string {
  const bytes = Buffer.from(hint, 'base64');
  return (bytes.toString('base64') === hint ? bytes : Buffer.from(hint)).toString('hex');
}
