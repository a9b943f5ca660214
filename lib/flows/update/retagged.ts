/** Returns a reference, spelled as it is, with another tag and without a digest. */
export function retagged(pinned: string, tag: string): string {
  const [reference = ''] = pinned.split('@');
  const colon = reference.lastIndexOf(':');
  const name = colon > reference.lastIndexOf('/') ? reference.slice(0, colon) : reference;
  return `${name}:${tag}`;
}
