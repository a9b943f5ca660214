import { getHeapStatistics } from 'node:v8';
import { collectGarbage, shrinkHeap } from '../../kernel/machine/index.ts';

/** How often the size of the heap is checked, in milliseconds. */
const LOOK = 2000;
/** By how many bytes it may grow before it is collected. */
const GROWTH = 16 * 1024 * 1024;

/**
 * Keeps the heap small until `signal` is aborted. Connections live so long that their objects become old, and V8, which
 * reckons with all of the machine's memory, collects old objects late.
 */
export function keepHeapSmall(signal: AbortSignal): void {
  shrinkHeap();
  let least = getHeapStatistics().used_heap_size;
  const timer = setInterval(() => {
    const used = getHeapStatistics().used_heap_size;
    least = Math.min(least, used);
    if (used - least < GROWTH) return;
    collectGarbage();
    least = getHeapStatistics().used_heap_size;
  }, LOOK).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
