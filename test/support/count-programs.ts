import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

// Counts the programs that a test file starts, for the reporter. Only a worker of vitest loads this, once for each
// file.

declare module 'vitest' {
  interface TaskMeta {
    /** How many programs the file has started; absent if none. */
    programs?: number;
  }
}

let programs = 0;
subscribe('child_process', () => {
  programs += 1;
});

// biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures a hook wants, here none
afterAll(({}, { file }) => {
  if (programs > 0) file.meta.programs = programs;
});
