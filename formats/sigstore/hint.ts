/**
 * The key that the hint of a bundle names, in hexadecimal: base64 of the SHA-256 of its SubjectPublicKeyInfo, as cosign has
 * it. A hint that is written in any other way names no key that is known here, and stands for itself: else one name could be
 * replaced by another unnoticed.
 */
export function keyIdOfHint(hint: string): string {
  const bytes = Buffer.from(hint, 'base64');
  return (bytes.toString('base64') === hint ? bytes : Buffer.from(hint)).toString('hex');
}
