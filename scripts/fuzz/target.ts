import type { Try } from './faults.ts';
import type { Random } from './random.ts';

/** A parser of foreign bytes, or a few that belong together, and what they are fed with. */
export interface Target {
  /** As `--only` takes it. */
  readonly name: string;
  /** How many of all executions it gets, compared with other targets. */
  readonly weight: number;
  /** Makes its samples. */
  load(): Feed | Promise<Feed>;
}

/** What a target is fed with. */
export interface Feed {
  /** What is damaged, and how it is read when sound. */
  readonly samples: readonly { readonly name: string; readonly bytes: Uint8Array; readonly one: Try }[];
  /** The next input, as `random` wants it. It is to be closed before there is another one. */
  prepare(random: Random): Input;
}

/** Bytes to feed to a parser. */
export interface Input {
  /** The sample that was damaged. */
  readonly sample: string;
  readonly bytes: Buffer;
  readonly one: Try;
  /** Takes back damage without which `fault` stays: with less it is easier to understand. Returns what is left. */
  reduced(fault: string): Promise<Buffer>;
  close(): void;
}
