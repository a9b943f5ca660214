import { expect, test } from 'vitest';
import { requireRange } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { compareBlobs } from '../../../../lib/flows/verify/blobs.ts';
import type { PlacedBlob } from '../../../../lib/flows/verify/hash-blobs.ts';

/** Where each of `contents` lies, in sectors of 2048 bytes, and the bytes of all. */
function laidOut(contents: readonly Buffer[]): { bytes: Buffer; blobs: PlacedBlob[] } {
  const blobs: PlacedBlob[] = [];
  let offset = 0;
  for (const content of contents) {
    blobs.push({ digest: sha256(content), offset, size: content.length });
    offset += Math.ceil(content.length / 2048) * 2048;
  }
  const bytes = Buffer.alloc(offset);
  for (const [at, content] of contents.entries()) content.copy(bytes, blobs[at]!.offset);
  return { bytes, blobs };
}

const small = Array.from({ length: 100 }, (_, number) => Buffer.alloc(3000 + number, `content ${number}`));

/**
 * Compares `blobs` with `bytes`; tells what was found, of whom, how often was read, and how many bytes were said to be
 * done.
 */
async function compared(bytes: Buffer, blobs: readonly PlacedBlob[]) {
  let [reads, done] = [0, 0];
  const read = async (offset: number, length: number, into?: Uint8Array): Promise<Uint8Array> => {
    reads += 1;
    requireRange(bytes.length, offset, length);
    const memory = into?.subarray(0, length) ?? new Uint8Array(length);
    memory.set(bytes.subarray(offset, offset + length));
    return memory;
  };
  const close = async (): Promise<void> => undefined;
  const file = { path: 'archive', size: bytes.length, read, close, [Symbol.asyncDispose]: close };
  const onBytes = (count: number): void => {
    done += count;
  };
  const findings = await compareBlobs(blobs, { file, signal: new AbortController().signal, onBytes });
  return { findings: findings.map(({ code, subject }) => [code, subject]), reads, done };
}

test('small contents that lie together are read at once', async () => {
  const { bytes, blobs } = laidOut(small);
  const total = small.reduce((sum, { length }) => sum + length, 0);
  expect(await compared(bytes, blobs)).toEqual({ findings: [], reads: 1, done: total });
});

test('of those that are read at once, the ones that are others are reported, in the order asked for', async () => {
  const { bytes, blobs } = laidOut(small);
  bytes[blobs[7]!.offset]! ^= 1;
  bytes[blobs[70]!.offset + blobs[70]!.size - 1]! ^= 1;
  // What lies between them is nobody's content.
  bytes[blobs[8]!.offset - 1]! ^= 1;
  const { findings } = await compared(bytes, blobs.toReversed());
  expect(findings).toEqual([
    ['blob-mismatch', blobs[70]!.digest],
    ['blob-mismatch', blobs[7]!.digest],
  ]);
});

test('where the bytes end, contents before that are compared, and the others are said to be cut', async () => {
  const { bytes, blobs } = laidOut(small.slice(0, 4));
  const { findings } = await compared(bytes.subarray(0, blobs[2]!.offset + 10), blobs);
  expect(findings).toEqual([
    ['truncated', blobs[2]!.digest],
    ['truncated', blobs[3]!.digest],
  ]);
});

test('contents that overlap, or share their bytes, are each compared', async () => {
  const { bytes, blobs } = laidOut(small.slice(0, 2));
  const [first] = blobs;
  const within = { digest: sha256(bytes.subarray(100, 1100)), offset: 100, size: 1000 };
  const wrong = { ...within, digest: first!.digest };
  expect((await compared(bytes, [...blobs, first!, within, wrong])).findings).toEqual([
    ['blob-mismatch', wrong.digest],
  ]);
});

test('large contents and small ones far from each other are read apart, and no read is larger than 1 MiB', async () => {
  const large = Buffer.alloc(2 * 1024 * 1024, 'large');
  const { bytes, blobs } = laidOut([small[0]!, large, small[1]!]);
  expect(await compared(bytes, blobs)).toMatchObject({ findings: [], reads: 4 });
  const many = laidOut(Array.from({ length: 60 }, (_, number) => Buffer.alloc(60_000, `${number}`)));
  const { findings, reads } = await compared(many.bytes, many.blobs);
  expect([findings, reads]).toEqual([[], 4]);
});
