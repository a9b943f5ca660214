/** What protects the reader of layers. Beyond a limit a layer is left, and the document says so. */
export interface SbomLimits {
  /** How many bytes all layers of an image may decompress to. */
  readonly total: number;
  /** How many bytes one compressed byte may become, once a layer has more than `free` bytes. */
  readonly ratio: number;
  readonly free: number;
  /** Files, folders and links of all layers. */
  readonly entries: number;
  /** How much of what files tell is kept, in bytes of memory, roughly. */
  readonly kept: number;
}

const MIB = 1024 * 1024;

/** Far beyond real images: files of zeros are the only ones that become so much larger. */
export const sbomLimits: SbomLimits = {
  total: 64 * 1024 * MIB,
  ratio: 200,
  free: 1024 * MIB,
  entries: 5_000_000,
  kept: 64 * MIB,
};
