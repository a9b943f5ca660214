/** What views of progress know of time. Tests give another one. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /**
   * Calls `work` again and again, after so many milliseconds each; returns what ends that. It keeps no process alive.
   */
  every(milliseconds: number, work: () => void): () => void;
}

/** The clock of this process, which no change of the date moves. */
export const processClock: Clock = {
  now: () => performance.now(),
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
};
