import type { PreparedInputs, ReadInputs } from '../pack/index.ts';
import type { RawDefinition } from './newer-input.ts';

/** What is asked about, and what it was until now. */
export interface Earlier {
  readonly read: ReadInputs;
  readonly raw: RawDefinition;
  /** What the definition and its lock became; undefined where something of that no longer exists. */
  readonly prepared: PreparedInputs | undefined;
}
