/** Bytes that lie in a file of this machine. */
export interface FileRange {
  readonly path: string;
  readonly offset: number;
  /** Undefined is all that follows `offset`. */
  readonly size: number | undefined;
}
