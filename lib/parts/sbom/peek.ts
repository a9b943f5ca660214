import type { Bytes } from '../../../formats/bytes.ts';

/**
 * Returns at least the first `count` bytes of a stream, or all where it has fewer, and the whole stream, which can be
 * read once.
 */
export async function peek(bytes: Bytes, count: number): Promise<{ head: Uint8Array; whole: Bytes }> {
  const chunks = bytes[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  for (let size = 0; size < count; ) {
    const next = await chunks.next();
    if (next.done) break;
    held.push(next.value);
    size += next.value.length;
  }
  const head = held.length === 1 ? held[0]! : Buffer.concat(held);
  async function* whole(): Bytes {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  return { head, whole: whole() };
}
