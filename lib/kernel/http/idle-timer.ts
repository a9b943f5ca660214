/** A timer that fires only when nothing moves, however long the whole takes. */
export interface IdleTimer {
  /** Counts anew from now. */
  restart(): void;
  /** Continues counting where `pause` stopped. */
  resume(): void;
  /** Stops counting, as while the other side of a transfer is waited for. */
  pause(): void;
}

/** Makes a timer, not yet counting, that calls `onIdle` after `milliseconds` without `restart`. */
export function idleTimer(milliseconds: number, onIdle: () => void): IdleTimer {
  let timer: NodeJS.Timeout | undefined;
  let left = milliseconds;
  let since = 0;
  const count = (from: number): void => {
    clearTimeout(timer);
    left = from;
    since = performance.now();
    timer = setTimeout(onIdle, left);
  };
  return {
    restart: () => count(milliseconds),
    resume: () => count(left),
    pause: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      left = Math.max(0, left - (performance.now() - since));
    },
  };
}
