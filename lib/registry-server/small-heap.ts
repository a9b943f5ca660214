import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often the heap is looked at, in milliseconds. */
const LOOK = 2000;
/** By how much it may grow before it is collected, in bytes. */
const GROWTH = 16 * 1024 * 1024;

/**
 * Keeps the heap small until the signal ends that. Connections live so long that what is left of them gets old, and V8, which has
 * all of the machine's memory in mind, begins to collect what is old late.
 */
export function keepHeapSmall(signal: AbortSignal): void {
  let collect: (() => void) | undefined;
  let least = getHeapStatistics().used_heap_size;
  const timer = setInterval(() => {
    const used = getHeapStatistics().used_heap_size;
    least = Math.min(least, used);
    if (used - least < GROWTH) return;
    if (!collect) {
      setFlagsFromString('--expose-gc');
      collect = runInNewContext('gc') as () => void;
    }
    collect();
    least = getHeapStatistics().used_heap_size;
  }, LOOK).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
