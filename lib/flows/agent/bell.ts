import { setTimeout as sleep } from 'node:timers/promises';

/** Wakes one who waits. What rings while nobody waits is heard by the next one who does. */
export interface Bell {
  ring(): void;
  /** Forgets that it has rung. */
  silence(): void;
  /** Waits until it rings, at most so many milliseconds. Throws the reason of the signal where that is aborted. */
  heard(longest: number, signal: AbortSignal): Promise<void>;
}

/** Makes a bell that has not rung. */
export function createBell(): Bell {
  let rung = false;
  let wake = (): void => undefined;
  return {
    ring: () => {
      rung = true;
      wake();
    },
    silence: () => {
      rung = false;
    },
    heard: async (longest, signal) => {
      signal.throwIfAborted();
      const waking = new AbortController();
      wake = () => waking.abort();
      if (!rung) {
        await sleep(longest, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => undefined);
      }
      wake = () => undefined;
      signal.throwIfAborted();
      rung = false;
    },
  };
}
