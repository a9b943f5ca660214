/**
 * What a patch begins with; then come the sizes of its three parts as little-endian numbers of 8 bytes, and the parts.
 */
export const PATCH_MAGIC: Uint8Array = Buffer.from('solpatch');

/** Bytes of the magic and of the three sizes. */
export const PATCH_HEAD = 32;

/** What an instruction does: hands on new bytes, copies bytes of a source, or adds differences to bytes of a source. */
export const patchKinds = { extra: 0, copy: 1, add: 2 } as const;

/** An instruction of a patch. Lengths and offsets are in bytes. */
export type PatchStep =
  | { readonly kind: 'extra'; readonly length: number }
  | { readonly kind: 'copy' | 'add'; readonly source: number; readonly offset: number; readonly length: number };
