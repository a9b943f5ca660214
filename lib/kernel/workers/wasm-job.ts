/** What a WebAssembly program does: it reads a file to its end, and writes into another one. */
export interface WasmJob {
  readonly module: Uint8Array;
  /** The words after its name. */
  readonly arguments: readonly string[];
  /** The descriptor of the file that it reads, from its beginning. */
  readonly input: number;
  /** The descriptor of the file that it writes from its beginning, or of the one that its output is compared with. */
  readonly output: number;
  readonly compares: boolean;
  /** Bytes that it may write. */
  readonly limit: number;
}

/** A job as its thread gets it. */
export interface WatchedJob extends WasmJob {
  /**
   * A number of 64 bits: how many bytes it has read and written so far, and 1 from its beginning on, for whoever
   * watches the thread.
   */
  readonly progress: SharedArrayBuffer;
}

/** How it ended. */
export type WasmReport =
  | { readonly kind: 'done'; readonly written: number }
  /** It writes other bytes than those of the file, or more than it may. */
  | { readonly kind: 'differs'; readonly at: number }
  | { readonly kind: 'failed'; readonly message: string };
