import type { Clock } from '../../cli/progress/clock.ts';

/** A clock that goes on only when a test says so. */
export interface FakeClock extends Clock {
  /** Lets milliseconds pass, and does what is to be done meanwhile at its time. */
  pass(milliseconds: number): void;
}

/** Makes a clock that stands at 0. */
export function fakeClock(): FakeClock {
  let now = 0;
  const timers = new Set<{ readonly every: number; readonly work: () => void; next: number }>();
  return {
    now: () => now,
    every: (every, work) => {
      const timer = { every, work, next: now + every };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [due] = [...timers].sort((a, b) => a.next - b.next);
        if (due === undefined || due.next > end) break;
        now = due.next;
        due.next += due.every;
        due.work();
      }
      now = end;
    },
  };
}
