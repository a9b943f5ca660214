/** The progress of an install, as a document in the cluster. */

export type {
  /** The ConfigMap in which a run reports its progress. */
  ProgressPlace,
} from './board.ts';
export {
  /** Returns how far the components of a Solution have come. */
  type ComponentCourse,
  /** Makes the course of a Solution. */
  componentCourse,
  /** Tells that nothing has been done yet for the components of Solutions. */
  tellPending,
} from './course.ts';
export type {
  /** The progress of a run with a component. */
  ComponentProgress,
  /** The state of a run. */
  ProgressState,
  /** What a run reports about itself in a ConfigMap. */
  RunProgress,
} from './document.ts';
export {
  /** Makes a Job that installs, after what it needs, and follows it until it has ended. */
  runLoader,
} from './loader-job.ts';
export {
  /** Where a run reports its progress, and under which name. */
  type ProgressReport,
  /** Does `work`, and reports its progress in a ConfigMap. */
  reportProgress,
} from './report.ts';
export {
  /** The content of the ConfigMap at the end. */
  type SettledRun,
  /** The run whose end is reported if it could not report it itself. */
  type SettleRequest,
  /** Waits until a container of a Pod has ended. */
  settleProgress,
} from './settle.ts';
