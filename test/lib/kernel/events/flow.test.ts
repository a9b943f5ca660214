import { describe, expect, test } from 'vitest';
import { pool, TRANSFERS } from '../../../../lib/kernel/events/flow.ts';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('a pool', () => {
  test('works on every item, and on no more at once than its limit', async () => {
    for (const limit of [1, 3, undefined]) {
      const seen: number[] = [];
      let running = 0;
      let most = 0;
      await pool(
        Array.from({ length: 20 }, (_, at) => at),
        limit === undefined ? {} : { limit },
        async (item) => {
          running += 1;
          most = Math.max(most, running);
          await turn();
          seen.push(item);
          running -= 1;
        },
      );
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
      expect(most).toBe(limit ?? TRANSFERS);
    }
  });

  test('takes one item at a time where its limit is none', async () => {
    let count = 0;
    await pool([1, 2], { limit: 0 }, async () => {
      count += 1;
    });
    expect(count).toBe(2);
  });

  test('asks for an item only when a worker is free', async () => {
    let asked = 0;
    function* endless() {
      for (;;) {
        asked += 1;
        yield asked;
      }
    }
    const stopped = pool(endless(), { limit: 2 }, async (item) => {
      await turn();
      if (item === 5) throw new Error('enough');
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(asked).toBeLessThanOrEqual(7);
  });

  test('throws its first failure, after the others were reported and have stopped', async () => {
    const stopped: unknown[] = [];
    const work = pool(['fails', 'waits', 'never'], { limit: 2 }, async (item, signal) => {
      if (item === 'fails') {
        await turn();
        throw new Error('the first');
      }
      await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
      await turn();
      stopped.push(item, (signal.reason as Error).message);
      throw new Error('the second');
    });
    await expect(work).rejects.toThrow('the first');
    expect(stopped).toEqual(['waits', 'the first']);
  });

  test('waits for its workers also where the items themselves fail', async () => {
    let done = false;
    function* items() {
      yield 1;
      throw new Error('no more items');
    }
    const work = pool(items(), { limit: 2 }, async () => {
      await turn();
      done = true;
    });
    await expect(work).rejects.toThrow('no more items');
    expect(done).toBe(true);
  });

  test('ends with the reason of the signal it was given', async () => {
    const control = new AbortController();
    const seen: number[] = [];
    const work = pool([1, 2, 3], { limit: 1, signal: control.signal }, async (item) => {
      seen.push(item);
      control.abort(new Error('interrupted'));
    });
    await expect(work).rejects.toThrow('interrupted');
    expect(seen).toEqual([1]);
  });
});
