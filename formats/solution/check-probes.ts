import { compileCel } from '../cel/compile.ts';
import { FormatError } from '../error.ts';
import type { ReadyProbe } from './ready-probe.ts';

/** An expression of a component that is none. */
export interface ProbeProblem {
  readonly component: string;
  /** Which of its probes, from 0 on. */
  readonly at: number;
  readonly message: string;
}

/** Finds expressions of components that are none. Whoever imports this loads the parser of CEL. */
export function probeProblems(
  components: readonly { readonly name: string; readonly ready?: readonly ReadyProbe[] | undefined }[],
): ProbeProblem[] {
  return components.flatMap(({ name: component, ready = [] }) =>
    ready.flatMap(({ cel }, at): ProbeProblem[] => {
      if (cel === undefined) return [];
      try {
        compileCel(cel);
        return [];
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        return [{ component, at, message: `is ${error.message}` }];
      }
    }),
  );
}
