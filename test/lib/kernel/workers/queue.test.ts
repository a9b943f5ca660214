import { describe, expect, test } from 'vitest';
import type { Job } from '../../../../lib/kernel/workers/job.ts';
import { bytesOfBatch, queueOf } from '../../../../lib/kernel/workers/queue.ts';

const MIB = 1024 * 1024;

/** A batch of one job of `size` bytes. */
function batch(size: number): Job[] {
  return [{ digest: `sha256:${'0'.repeat(64)}`, size, from: { path: 'x', offset: 0, size }, to: [] }];
}

/**
 * Batches of one taker, who is sent as many as it may have ahead, and works one off before it asks again: how many it
 * has each time.
 */
function waiting(sizes: readonly number[], takers: number): number[] {
  const queue = queueOf(sizes.map(batch), takers);
  const sent: number[] = [];
  const counts: number[] = [];
  do {
    sent.shift();
    const underway = (): number => sent.reduce((sum, size) => sum + size, 0);
    for (let one = queue.take(underway()); one; one = queue.take(underway())) sent.push(bytesOfBatch(one));
    counts.push(sent.length);
  } while (sent.length > 0);
  return counts;
}

describe('a queue', () => {
  test('gives each batch once, in order, and tells when none is left', async () => {
    const batches = [batch(3 * MIB), batch(2 * MIB), batch(MIB)];
    const queue = queueOf(batches, 2);
    expect([queue.take(0), queue.take(0), queue.take(0)]).toEqual(batches);
    await queue.empty;
    expect(queue.take(0)).toBeUndefined();
  });

  test('sends batches ahead as long as much is left, so that no taker ever waits until somebody has time for it', () => {
    const counts = waiting(new Array(40).fill(50 * MIB), 2);
    expect([counts[0], counts[1]]).toEqual([6, 6]);
    // The last ones are taken one by one: another taker may have time for them sooner.
    expect(counts.slice(-3)).toEqual([1, 1, 0]);
  });

  test('sends at most 256 MiB ahead, however much is left', () => {
    expect(waiting(new Array(1000).fill(64 * MIB), 2)[0]).toBe(5);
  });

  test('sends nothing ahead to whoever has a large batch, while others have time for what is left', () => {
    expect(waiting([1000 * MIB, 500 * MIB, 500 * MIB, 10 * MIB], 2)[0]).toBe(1);
  });
});
