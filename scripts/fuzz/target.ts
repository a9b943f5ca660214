import type { Try } from './faults.ts';
import type { Random } from './random.ts';

/** A parser of foreign bytes, or a few related ones, with their inputs. */
export interface Target {
  /** Name for `--only`. */
  readonly name: string;
  /** Its share of all executions, relative to other targets. */
  readonly weight: number;
  /** Makes its samples. */
  load(): Feed | Promise<Feed>;
}

/** The inputs of a target. */
export interface Feed {
  /** Sound samples, and how each is read. */
  readonly samples: readonly { readonly name: string; readonly bytes: Uint8Array; readonly one: Try }[];
  /** Makes the next input, as `random` decides. It has to be closed before the next one. */
  prepare(random: Random): Input;
}

/** Input for a parser. */
export interface Input {
  /** The sample that was damaged. */
  readonly sample: string;
  readonly bytes: Buffer;
  readonly one: Try;
  /** Repairs all damage that `fault` does not need, and returns the rest, which is easier to understand. */
  reduced(fault: string): Promise<Buffer>;
  close(): void;
}
