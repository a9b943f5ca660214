import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../../formats/digest.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import type { ContentSource } from '../../../../../lib/kernel/content/model.ts';
import { streamedReads } from '../../../../../lib/shared/solutions/registries/streamed-reads.ts';
import { noise } from '../../../../support/registry.ts';

const bytes = noise('streamed', 100_000);
const descriptor: Descriptor = { mediaType: 'a/b', digest: sha256(bytes), size: bytes.length };
const { signal } = new AbortController();

/** A source of the bytes in chunks of 1,000, which tells from where it was opened, and how many streams are open. */
function sourceOf(stored: Uint8Array = bytes): { source: ContentSource; opened: number[]; left: () => number } {
  const opened: number[] = [];
  let closed = 0;
  const source: ContentSource = {
    name: 'source',
    open: async function* (_, { offset = 0 } = {}) {
      opened.push(offset);
      try {
        for (let at = offset; at < stored.length; at += 1000) yield stored.subarray(at, at + 1000);
      } finally {
        closed += 1;
      }
    },
  };
  return { source, opened, left: () => opened.length - closed };
}

describe('content that is read in pieces out of streams', () => {
  test('takes one stream from its beginning to its end, whatever sizes are read', async () => {
    const { source, opened, left } = sourceOf();
    await using reads = streamedReads(source, signal);
    const reader = reads.of(descriptor);
    const parts: Uint8Array[] = [];
    for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 3) % 4999 || 1) {
      parts.push(await reader.read(at, Math.min(size, bytes.length - at)));
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    expect([opened, left()]).toEqual([[0], 0]);
  });

  test('is right wherever it is read, by several at once, and keeps few streams open', async () => {
    const { source, opened, left } = sourceOf();
    await using reads = streamedReads(source, signal);
    const reader = reads.of(descriptor);
    const offsets = Array.from({ length: 100 }, (_, at) => (at * 7919) % (bytes.length - 2000));
    const parts = await Promise.all(offsets.map((offset) => reader.read(offset, 1500, new Uint8Array(2000))));
    for (const [at, offset] of offsets.entries()) {
      expect(Buffer.from(parts[at]!).equals(bytes.subarray(offset, offset + 1500))).toBe(true);
    }
    expect(opened.length).toBeGreaterThan(16);
    expect(left()).toBe(16);
    await reads[Symbol.asyncDispose]();
    expect(left()).toBe(0);
    await reader.read(0, 10);
    expect(left()).toBe(0);
  });

  test('is an error where there are fewer or more bytes than it has, or another range is asked for', async () => {
    for (const [stored, code] of [
      [bytes.subarray(0, 99_999), 'truncated'],
      [Buffer.concat([bytes, bytes]), 'size-mismatch'],
    ] as const) {
      const { source, left } = sourceOf(stored);
      await using reads = streamedReads(source, signal);
      await expect(reads.of(descriptor).read(0, bytes.length)).rejects.toMatchObject({ code });
      expect(left()).toBe(0);
    }
    await using reads = streamedReads(sourceOf().source, signal);
    await expect(reads.of(descriptor).read(bytes.length, 1)).rejects.toMatchObject({ code: 'truncated' });
  });
});
