import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../lib/kernel/events/events.ts';
import { reportIfSlow } from '../../../../lib/kernel/events/slowly.ts';

const open = { step: 'open', subject: 'shop-1.0.0.iso' };
const progress: Event = { type: 'progress', step: 'open', done: 1, total: 2 };
const notice: Event = { type: 'notice', message: 'the disc is old' };

describe('reportIfSlow', () => {
  test('tells nothing of quick work but its notices', async () => {
    const told: Event[] = [];
    const flow = { onEvent: (event: Event) => told.push(event) };
    const result = await reportIfSlow(flow, open, async ({ onEvent }) => {
      onEvent(progress);
      onEvent(notice);
      return 'done';
    });
    expect([result, told]).toEqual(['done', [notice]]);
  });

  test('tells of slow work as a step, and of its progress from then on', async () => {
    const told: Event[] = [];
    const { promise: isTold, resolve } = Promise.withResolvers<void>();
    const onEvent = (event: Event): void => {
      told.push(event);
      if (event.type === 'step') resolve();
    };
    // Clock: the timer keeps no process alive, and this one has nothing else to wait for.
    const kept = setInterval(() => undefined, 1_000);
    await reportIfSlow({ onEvent }, open, async (own) => {
      own.onEvent(progress);
      await isTold;
      own.onEvent(progress);
    }).finally(() => clearInterval(kept));
    expect(told).toEqual([{ type: 'step', ...open }, progress]);
  });

  test('throws what the work throws', async () => {
    const flow = { onEvent: () => undefined };
    await expect(reportIfSlow(flow, open, () => Promise.reject(new Error('no disc')))).rejects.toThrow('no disc');
  });
});
