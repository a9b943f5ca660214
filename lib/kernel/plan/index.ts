/** Plans, and the runner of their steps. */

export type {
  /** What a step will do, found out without doing it. */
  Foreseen,
  /** One thing that a step will do. */
  ForeseenAction,
  /** A field that will have another value. */
  ForeseenChange,
} from './foreseen.ts';
export {
  /** Digests a value, as which it can stand in the inputs of a step: one that is large, or secret. */
  inputDigest,
  /** Plans what `read` asks for: the steps of each kind, kind after kind. */
  planSteps,
} from './make.ts';
export {
  /** A step, and what it will do, and what it has given already. */
  type ForeseenStep,
  /** Goes through the steps that `runSteps` would run, and finds out what each of them would do. */
  foreseeSteps,
  /** How steps are run. */
  type RunnerOptions,
  /** Runs the steps of a plan in their order, and then `conclude` with all that they gave. */
  runSteps,
} from './run.ts';
export type {
  /** What steps have given, by their products. */
  Given,
  /** A value that JSON can say, with nothing left out. */
  Json,
  /** What a kind of step gives to the steps after it. */
  Product,
  /** One thing that a plan does: plain data, which can be printed, stored and compared. */
  Step,
  /** A kind of step: when it is needed, and how it is done. */
  StepKind,
  /** What a step is run with. */
  Work,
} from './step.ts';
