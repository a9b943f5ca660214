import type { Bytes } from '../../../formats/bytes.ts';
import type { Flow } from './flow.ts';

/** Counts the bytes that a step moves, and says how far it is. */
export interface Meter {
  /** Counts bytes that were moved; a negative count where they have to be moved once more. */
  readonly onBytes: (count: number) => void;
  /** Counts what is left, once the step is done without it. */
  rest(): void;
  /** Counts a stream while it is read. */
  count(bytes: Bytes): Bytes;
}

/** Makes the meter of a step that moves `total` bytes. */
export function byteMeter({ onEvent }: Pick<Flow, 'onEvent'>, step: string, total: number): Meter {
  let done = 0;
  const onBytes = (count: number): void => {
    done += count;
    onEvent({ type: 'progress', step, done, total });
  };
  return {
    onBytes,
    rest: () => {
      if (done < total) onBytes(total - done);
    },
    count: async function* (bytes) {
      for await (const chunk of bytes) {
        // Whoever has taken it may put other bytes into its memory.
        const { length } = chunk;
        yield chunk;
        onBytes(length);
      }
    },
  };
}
