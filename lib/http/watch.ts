/** A timer that fires only when nothing moves, however long the whole takes. */
export interface Watch {
  /** Counts anew from now. */
  restart(): void;
  /** Stops counting, as while the other side of a transfer is waited for. */
  pause(): void;
}

/** Makes a watch, not yet counting, that calls `onIdle` after `milliseconds` without `restart`. */
export function watch(milliseconds: number, onIdle: () => void): Watch {
  let timer: NodeJS.Timeout | undefined;
  return {
    restart: () => {
      if (timer) timer.refresh();
      else timer = setTimeout(onIdle, milliseconds);
    },
    pause: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
