/** Limits that protect the reader of layers. A layer beyond a limit is not read further, and the document says so. */
export interface SbomLimits {
  /** Most bytes that all layers of an image may decompress to. */
  readonly total: number;
  /** Most decompressed bytes for each compressed byte, once a layer has more than `free` bytes. */
  readonly ratio: number;
  readonly free: number;
  /** Files, folders and links of all layers. */
  readonly entries: number;
  /** Most bytes of memory for what files say, estimated. */
  readonly kept: number;
}

const MIB = 1024 * 1024;

/** Far beyond real images: only files of zeros expand further. */
export const sbomLimits: SbomLimits = {
  total: 64 * 1024 * MIB,
  ratio: 200,
  free: 1024 * MIB,
  entries: 5_000_000,
  kept: 64 * MIB,
};
