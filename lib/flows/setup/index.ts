/** Sets a machine up: looks at it, plans, carries the plan out, and takes it back. */

export type { SetupAction, SetupStep } from './action.ts';
export { carryOutSetup, type SetupRun } from './carry-out.ts';
export { type ChosenWay, chooseWay, type ImageWay, SERVE, STORE, sharedServe } from './choose.ts';
export { lookAtMachine } from './look.ts';
export type {
  FoundKubernetes,
  FoundProgram,
  FoundPull,
  FoundRuntime,
  KubernetesDistribution,
  Machine,
} from './machine.ts';
export {
  /** Lists the places where archives may be. */
  placesNear,
} from './media.ts';
export { keysOnMedium, type MediumKey } from './medium-keys.ts';
export { withMediumPrograms } from './medium-programs.ts';
export { type CarriedFile, planSetup, type SetupRequest } from './plan.ts';
export { joinWords, type SharedSecrets, sharedSecrets } from './shared.ts';
export {
  /** Connects for a moment, and returns the error of the system by which that failed. */
  whyNoSocket,
} from './socket.ts';
export type { StoppedRuntime } from './stopped-runtime.ts';
export {
  /** Asks systemd about a unit. */
  stateOf,
} from './systemd.ts';
export { planUndo, undoSetup } from './undo.ts';
export {
  /** The unit of systemd that serves images. */
  SERVE_UNIT,
} from './unit.ts';
