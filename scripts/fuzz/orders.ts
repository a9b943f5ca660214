/** Bytes that a process of the fuzzer may have resident. */
export const MEMORY_LIMIT: number = 256 * 1024 * 1024;

/** What a process is to do. */
export interface Order {
  /** Names of targets. */
  readonly targets: readonly string[];
  readonly seed: number;
  /** The first execution, how many lie between one and the next, and where to end. */
  readonly first: number;
  readonly step: number;
  readonly end: number;
  /** A file for the number of the execution that runs. */
  readonly marker: string;
  /** Where inputs are kept that brought a fault about. */
  readonly folder: string;
}

/** A fault, and how to have it again. */
export interface Fault {
  readonly execution: number;
  readonly sample: string;
  readonly why: string;
  /** The input. */
  readonly path: string;
}

/** What a process tells. */
export type Message =
  /** How many executions ended in which way, by target and outcome. */
  | { readonly kind: 'progress'; readonly outcomes: Readonly<Record<string, number>> }
  | ({ readonly kind: 'found' } & Fault)
  /** It has done all; or it is full by what many executions left, and another process has to go on with `next`. */
  | { readonly kind: 'end'; readonly peak: number; readonly next?: number };
