import type { Flow, OnEvent } from '../lib/index.ts';
import type { Io } from './io.ts';

/** What `--progress` takes. */
export const progressChoices = ['auto', 'bar', 'lines', 'json', 'none'] as const;

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  /** `false` is what `--no-progress` gives. */
  readonly progress?: (typeof progressChoices)[number] | false;
  readonly quiet?: boolean;
  readonly logFile?: string;
}

/** Shows events. */
export interface ProgressView {
  readonly onEvent: OnEvent;
  /**
   * Removes what must not stay on the terminal, until something comes again: before a line of a result that continues.
   */
  hide(): void;
  /** Removes what must not stay on the terminal, as before a question. What follows is timed anew. */
  pause(): void;
  /**
   * Ends it before a result, and says how long it took where that was long enough for it. What follows is timed anew.
   */
  end(): void;
  /** Ends it before a failure is reported. Nothing is shown any longer. */
  stop(): void;
  /** For a command that runs until it is stopped: from now on nothing is reported only because time passes. */
  endure(): void;
}

/** What the action of a command works with. `progress` has to end before the result is printed. */
export interface CommandSession {
  readonly io: Io;
  readonly flow: Flow;
  readonly progress: ProgressView;
}
