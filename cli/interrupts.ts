import type { Interrupts } from './io.ts';

/** Lets one command at a time take the first Ctrl-C, for which `interrupt` is called; every other one ends it. */
export function interruptsOf(end: () => void): Interrupts & { readonly interrupt: () => void } {
  let taken: (() => void) | undefined;
  return {
    end,
    take: (work) => {
      taken = work;
      return () => {
        taken = undefined;
      };
    },
    interrupt: () => {
      const work = taken ?? end;
      taken = undefined;
      work();
    },
  };
}
