import { encodeLeb128 } from '../leb128.ts';
import { PATCH_HEAD, PATCH_MAGIC, type PatchStep, patchKinds } from './layout.ts';

/** Encodes an instruction of a patch: its kind, for a source its number and offset, and the length. */
export function encodeStep(step: PatchStep): Uint8Array {
  const numbers = step.kind === 'extra' ? [step.length] : [step.source, step.offset, step.length];
  return Uint8Array.from([patchKinds[step.kind], ...numbers.flatMap(encodeLeb128)]);
}

/** Makes the head of a patch, of the compressed sizes of its three parts in bytes. */
export function patchHead(sizes: readonly number[]): Uint8Array {
  const head = Buffer.alloc(PATCH_HEAD);
  head.set(PATCH_MAGIC);
  for (const [at, size] of sizes.entries()) head.writeBigUInt64LE(BigInt(size), PATCH_MAGIC.length + 8 * at);
  return head;
}
