import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The `gc` of V8's extension of that name. */
type Collector = (options?: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

let collector: Collector | undefined;
let isShrunk = false;

/**
 * Makes the heap's young generation as small as it can be, and lets it grow no more, for as long as the process runs.
 * Where much is allocated at once, V8 lets it grow to several times of what is alive. It takes no code from its caches
 * from then on, so only what holds or serves much is worth it, and not before its modules are loaded. Returns false,
 * and does nothing, where that was done before.
 */
export function shrinkHeap(): boolean {
  if (isShrunk) return false;
  isShrunk = true;
  setFlagsFromString('--semi-space-growth-factor=1');
  // While V8 marks in steps, it lets the heap grow to twice of what is alive: to mark at once takes some milliseconds.
  setFlagsFromString('--no-incremental-marking');
  // Only a collection of this flavor gives the memory of the young generation back.
  gc()({ type: 'major', flavor: 'last-resort' });
  return true;
}

/** Collects garbage now, which takes some 20 ms for each 50 MiB that are alive. */
export function collectGarbage(): void {
  gc()();
}

function gc(): Collector {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as Collector;
  }
  return collector;
}
