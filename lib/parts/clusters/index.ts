/** Clusters: what flows ask of one, and the kinds that there are. */

export {
  /** Leaves out what a cluster meets itself. */
  withoutServed,
} from './kept-sets.ts';
/** Clusters: what flows ask of one, and the kinds that there are. */

export type { AgentCluster, AgentLease, AgentNews, FollowedDocument, FollowedSource } from './agent-cluster.ts';
export type { ApprovalCluster, FollowedConfiguration, PlanDecision } from './approval-cluster.ts';
export type {
  /** Facts that a cluster reports about itself; facts that it does not report, or not to this user, are left out. */
  ClusterSettings,
  /** A setting of a node or a cluster, and where it was found, in words. */
  SourcedValue,
} from './cluster-settings.ts';
export { directoryTarget } from './directory.ts';
export type {
  /** Why a Solution is in a set, and in this version. */
  DecidedSolution,
  Generation,
  /** Why a generation exists. */
  GenerationCause,
  GenerationImage,
  GenerationNote,
  GenerationPlace,
  /** What decides about trust in an installed Solution, in addition to its root and its signers. */
  GenerationRelease,
  /** Why a generation has the Solutions that it has: what the resolver decided. */
  GenerationResolution,
  GenerationSolution,
  /** How an apply has ended. */
  GenerationState,
} from './generation.ts';
export {
  /** Finds what Solutions would not have any longer of what they ask for, were that of a configuration changed. */
  brokenBy,
  /** Lists the Solutions of an inventory that were not removed. */
  installedIn,
  /** What a configuration is to have afterwards. */
  type SetChange,
} from './kept-sets.ts';
export type {
  Action,
  AppliedObject,
  AppliedSolution,
  ApplyRequest,
  ApplyResult,
  ChartTest,
  ClusterNode,
  ClusterTarget,
  /** An object that answers from outside of the cluster. */
  ExposedObject,
  InventoryEntry,
  KeptRecord,
  /** What others have installed in a cluster, by other programs. */
  OutsideInstalls,
  /** Decides whether what a generation of a configuration applied, or a part of that, may be applied once more. */
  Permit,
  RenderedComponent,
  RenderedSolution,
} from './kind.ts';
export type { ComponentProgress, KubernetesOptions } from './kubernetes/index.ts';
export {
  /** How long an apply waits, in milliseconds. */
  type ApplyTiming,
  agentCluster,
  approvalCluster,
  /** Decides whether an object, once it exists, can refuse or change others. */
  isGate,
  /** Decides whether an object is ready for as long as nobody changes it. */
  isSteady,
  /** Tells until when the certificates and the token are good that a kubeconfig holds or names. */
  kubeconfigTerms,
  kubernetesTarget,
  /** Time limits for choosing a leader, in milliseconds. */
  type LeaderTiming,
  /** The account of the Pod that a process runs in (Kubernetes, "Accessing the Kubernetes API from a Pod"). */
  type PodAccount,
  /** The ConfigMap in which a run reports its progress. */
  type ProgressPlace,
  /** Where a run reports its progress, and under which name. */
  type ProgressReport,
  /** The state of a run. */
  type ProgressState,
  /** What a run reports about itself in a ConfigMap. */
  type RunProgress,
  reportProgress,
  runLoader,
  /** The content of the ConfigMap at the end. */
  type SettledRun,
  /** The run whose end is reported if it could not report it itself. */
  type SettleRequest,
  settleProgress,
} from './kubernetes/index.ts';
export type {
  ConfigurationStatus,
  /** A field of an object that is not as it was applied. */
  FieldDrift,
  /** The state of something. */
  ObjectState,
  ObjectStatus,
  Repair,
  /** The result for an object that had drifted. */
  RepairedObject,
  SolutionStatus,
} from './presence.ts';
export type { ClusterSnapshot, SnapshotPart } from './snapshot.ts';
