/** Shortens a key's id to its first 16 digits, by which people tell keys apart. */
export function shortKey(keyId: string): string {
  return keyId.slice(0, 16);
}
