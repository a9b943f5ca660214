import { describe, expect, test, vi } from 'vitest';
import { idleTimer } from '../../../../lib/kernel/http/idle-timer.ts';

describe('watch', () => {
  test('fires when nothing moved for long enough, and not while it is paused', () => {
    vi.useFakeTimers();
    try {
      const fired = vi.fn();
      const idle = idleTimer(100, fired);
      vi.advanceTimersByTime(1000);
      expect(fired).not.toHaveBeenCalled();
      idle.restart();
      vi.advanceTimersByTime(60);
      idle.pause();
      vi.advanceTimersByTime(1000);
      // Going on counts what was there before; beginning anew does not.
      idle.resume();
      vi.advanceTimersByTime(39);
      expect(fired).not.toHaveBeenCalled();
      idle.restart();
      vi.advanceTimersByTime(99);
      expect(fired).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(fired).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
