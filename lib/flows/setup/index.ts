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
export { keysOnMedium, type MediumKey } from './medium-keys.ts';
export { withMediumPrograms } from './medium-programs.ts';
export { type CarriedFile, planSetup, type SetupRequest } from './plan.ts';
export { joinWords, type SharedSecrets, sharedSecrets } from './shared.ts';
export type { StoppedRuntime } from './stopped-runtime.ts';
export { planUndo, undoSetup } from './undo.ts';
