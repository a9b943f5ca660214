/** Hooks of charts: their order, their runs, and what they leave behind. */

export {
  /** Remembers what is about to happen to the components of a Solution that have hooks, before any of it happens. */
  beginCourses,
  /** Makes what runs the hooks of a Solution. */
  hookRuns,
} from './bring.ts';
export type {
  /** What happens to a component that has hooks. */
  Course,
} from './course.ts';
export {
  /** What happens to components that have hooks: by Solution, then by component. */
  type Courses,
  /** Decides what happens to each component of a plan that has hooks, other than those for tests. */
  coursesOf,
  /** Lists the hooks that are yet to run, of all components. */
  hooksToRun,
} from './courses.ts';
export {
  /** Returns the definitions that are there already. */
  heldOf,
  /** Decides whether what is there of a component has to stay as it is until hooks have run. */
  holdsBack,
} from './held.ts';
export {
  /** Makes what runs the hooks of all that the configuration of a plan brought and no longer has. */
  leavingHooks,
} from './leave.ts';
export {
  /** A component that is removed. */
  type Leaving,
  /** Lists the components that the configuration of a plan brought and no longer has, the last ones first. */
  leavingOf,
  /** Returns the first namespace of hooks that is gone, or about to go; undefined where all are there. */
  whereGone,
} from './leaving.ts';
export {
  /** Names a hook of a component: its event, and its position among those of that event. */
  hookId,
  /** Returns the hooks of an event in the order in which they run. */
  hooksFor,
} from './order.ts';
export {
  /** What is remembered of the hooks of components: by Solution, then by component. */
  type HookRecords,
  /** Reads all that is remembered of hooks. */
  readHookRecords,
} from './records.ts';
export {
  /** Decides whether a hook runs and ends. */
  endsByItself,
} from './run-hook.ts';
export type {
  /** The hooks of one Solution, while it is brought up. */
  HookRuns,
  /** The hooks of components that are removed. */
  LeavingHooks,
} from './runs.ts';
export {
  /** Runs the hooks of `test` of all components, in their order, each of them anew. */
  runTests,
} from './test.ts';
