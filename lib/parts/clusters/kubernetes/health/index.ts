/** Whether objects are ready, and why they are not. */

export {
  /** The Solution to wait for, and the version that was there before. */
  type Watched,
  /** Waits for the objects of one Solution. */
  watchReadiness,
} from './await-ready.ts';
export {
  /** Finds out why `object`, as it was last read, is not ready. */
  diagnose,
  /** Returns the events about the object with that uid, in their order. */
  eventsAbout,
  /** Sorts events by time, the newest last. */
  inOrder,
  /** Decides whether `owner` controls the object. */
  ownedBy,
  /** Returns a label selector for the Pods of a workload; '' where it names no labels. */
  selectorOf,
} from './diagnose/index.ts';
export {
  /** Finds out why a probe does not hold. */
  causeOfProbe,
  /** Chooses the object whose cause is looked for. */
  mostTelling,
} from './not-ready.ts';
export {
  /** Decides whether a probe asks about an object that a component brings. */
  isProbed,
  /** Looks whether all objects that a probe asks about are as it says, and whether there is one at all. */
  lookByProbe,
  /** What there is of what a probe asks about. */
  type Probed,
  /** Returns what judges objects by probes. */
  probeJudge,
} from './probes/index.ts';
export {
  /** Returns how far the components of a Solution have come. */
  type ComponentCourse,
  /** The progress of a run with a component. */
  type ComponentProgress,
  /** Makes the course of a Solution. */
  componentCourse,
  /** The ConfigMap in which a run reports its progress. */
  type ProgressPlace,
  /** Where a run reports its progress, and under which name. */
  type ProgressReport,
  /** The state of a run. */
  type ProgressState,
  /** What a run reports about itself in a ConfigMap. */
  type RunProgress,
  /** Does `work`, and reports its progress in a ConfigMap. */
  reportProgress,
  /** Makes a Job that installs, after what it needs, and follows it until it has ended. */
  runLoader,
  /** The content of the ConfigMap at the end. */
  type SettledRun,
  /** The run whose end is reported if it could not report it itself. */
  type SettleRequest,
  /** Waits until a container of a Pod has ended. */
  settleProgress,
  /** Tells that nothing has been done yet for the components of Solutions. */
  tellPending,
} from './progress/index.ts';
export {
  /** How far an object has come, in the states of kstatus (whose `Current` and `InProgress` are `ready`. */
  type Readiness,
  /** Reads what `readinessOf` needs besides the object: the StorageClass of a claim that is not bound. */
  readinessContext,
  /** Judges how far an object has come, by the rules of kstatus (sigs.k8s.io/cli-utils). */
  readinessOf,
} from './readiness/index.ts';
