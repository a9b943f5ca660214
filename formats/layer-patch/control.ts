import { type PatchStep, patchKinds } from './layout.ts';

/** Encodes an instruction of a patch: its kind, for a source its number and offset, and the length. */
export function encodeStep(step: PatchStep): Uint8Array {
  const bytes = [patchKinds[step.kind]];
  if (step.kind !== 'extra') {
    putNumber(step.source, bytes);
    putNumber(step.offset, bytes);
  }
  putNumber(step.length, bytes);
  return Uint8Array.from(bytes);
}

/** Writes a number in groups of 7 bits, the lowest first (LEB128). */
function putNumber(value: number, bytes: number[]): void {
  let left = value;
  while (left >= 128) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  bytes.push(left);
}

/** Makes the head of a patch, of the compressed sizes of its three parts in bytes. */
export function patchHead(magic: Uint8Array, sizes: readonly number[]): Uint8Array {
  const head = Buffer.alloc(magic.length + 8 * sizes.length);
  head.set(magic);
  for (const [at, size] of sizes.entries()) head.writeBigUInt64LE(BigInt(size), magic.length + 8 * at);
  return head;
}
