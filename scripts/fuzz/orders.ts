/** Most resident bytes of a process of the fuzzer. */
export const MEMORY_LIMIT: number = 256 * 1024 * 1024;

/** The work of a process. */
export interface Order {
  /** Names of targets. */
  readonly targets: readonly string[];
  readonly seed: number;
  /** The first execution, the distance between two, and the end. */
  readonly first: number;
  readonly step: number;
  readonly end: number;
  /** A file that gets the number of the running execution. */
  readonly marker: string;
  /** Where inputs that cause faults are kept. */
  readonly folder: string;
}

/** A fault, and how to reproduce it. */
export interface Fault {
  readonly execution: number;
  readonly sample: string;
  readonly why: string;
  /** The input. */
  readonly path: string;
}

/** What a process reports. */
export type Message =
  /** How many executions ended in which way, by target and outcome. */
  | { readonly kind: 'progress'; readonly outcomes: Readonly<Record<string, number>> }
  | ({ readonly kind: 'found' } & Fault)
  /** All work is done; or its memory is full, and another process has to continue with `next`. */
  | { readonly kind: 'end'; readonly peak: number; readonly next?: number };
