export type { AgentCluster, AgentLease, AgentNews, FollowedDocument, FollowedSource } from './agent-cluster.ts';
export { directoryTarget } from './directory.ts';
export type {
  Generation,
  GenerationImage,
  GenerationNote,
  GenerationPlace,
  GenerationSolution,
} from './generation.ts';
export type {
  Action,
  AppliedObject,
  AppliedSolution,
  ApplyRequest,
  ApplyResult,
  ChartTest,
  ClusterNode,
  ClusterTarget,
  InventoryEntry,
  KeptRecord,
  RenderedComponent,
  RenderedSolution,
} from './kind.ts';
export { agentCluster } from './kubernetes/agent/index.ts';
export type { ComponentProgress } from './kubernetes/health/progress/document.ts';
export { runLoader } from './kubernetes/health/progress/loader-job.ts';
export { reportProgress } from './kubernetes/health/progress/report.ts';
export { settleProgress } from './kubernetes/health/progress/settle.ts';
export { kubernetesTarget } from './kubernetes/index.ts';
export type { KubernetesOptions } from './kubernetes/server/options.ts';
export type {
  ConfigurationStatus,
  ObjectStatus,
  Repair,
  SolutionStatus,
} from './presence.ts';
export type { ClusterSnapshot, SnapshotPart } from './snapshot.ts';
