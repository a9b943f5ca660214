/** The state of a component in a run. `waiting`: it is applied, and its objects are not ready yet. */
export type ComponentState = 'pending' | 'applying' | 'waiting' | 'ready' | 'failed';

/** What a flow reports while it works; `cli` shows it on stderr. */
export type Event =
  /** A stage begins, or its next subject; where they were counted, it is `number` (from 1) of `of`. */
  | {
      readonly type: 'step';
      readonly step: string;
      readonly subject?: string;
      readonly number?: number;
      readonly of?: number;
    }
  /** Bytes were moved or checked: `done` of `total` within the stage so far. */
  | { readonly type: 'progress'; readonly step: string; readonly done: number; readonly total: number }
  /** A component that is applied has come further: `reason` says what it waits for, or why it failed. */
  | {
      readonly type: 'component';
      readonly solution: string;
      readonly version: string;
      readonly component: string;
      readonly state: ComponentState;
      readonly reason?: string;
      /** What has to be ready before it is applied: components of the same Solution. Left out: none. */
      readonly after?: readonly string[];
    }
  /**
   * What a run that was interrupted has left in a cluster or in a file, and the commands that continue or go back:
   * after it, nothing else is reported.
   */
  | { readonly type: 'left'; readonly message: string }
  /** Something worth knowing that is no error. */
  | { readonly type: 'notice'; readonly message: string; readonly subject?: string };

/** Receives events. It must return at once: it cannot slow a stream down. */
export type OnEvent = (event: Event) => void;
