/**
 * The flows of solpack, for programs: each takes a request and a `Flow` (signal, events, host), never prints, and
 * throws `SolpackError`.
 */
export {
  type Extracted,
  type ExtractRequest,
  extract,
  type ListedEntry,
  type ListRequest,
  list,
} from './browse/index.ts';
export {
  type ApplyRequest,
  type ApplyResult,
  type ClusterTarget,
  directoryTarget,
  type InventoryEntry,
  type KubernetesOptions,
  kubernetesTarget,
} from './clusters/index.ts';
export {
  type ActivateRequest,
  type ActivateResult,
  activateSolution,
  type DeactivateRequest,
  type DeactivateResult,
  deactivateSolution,
  type ImportRequest,
  type ImportResult,
  importArchives,
  type NamedArchive,
  type UnimportRequest,
  type UnimportResult,
  unimportArchives,
} from './configure/index.ts';
export { type DiffRequest, type DiffResult, diff } from './diff/index.ts';
export { type ErrorCode, errorInfo, exits, SolpackError } from './errors.ts';
export type { Event, OnEvent } from './events.ts';
export type { Flow } from './flow.ts';
export type { Host } from './host.ts';
export { type Inspection, inspect } from './inspect/index.ts';
export {
  type EmbeddedOptions,
  embeddedRegistry,
  type ImageDelivery,
  type InstallRequest,
  type InstallResult,
  install,
  pushedToRegistry,
  runningServe,
  type Trusting,
} from './install/index.ts';
export { type LoadRequest, type LoadResult, load } from './load/index.ts';
export { type MirrorResult, writeMirrors } from './mirrors/index.ts';
export { type Finding, findings } from './model.ts';
export { type Mounted, type MountRequest, mountArchive, type Unmounted, unmountArchive } from './mount/index.ts';
export { type ByteSink, type PackRequest, type PackResult, pack } from './pack/index.ts';
export type { RegistryPlace } from './place.ts';
export { type PullRequest, type PullResult, pull } from './pull/index.ts';
export { type PushRequest, type PushResult, push } from './push/index.ts';
export { type RenderRequest, type RenderResult, renderSolution, type SolutionInput } from './render/index.ts';
export { type ServeRequest, type Serving, serve } from './serve/index.ts';
export {
  type KeygenResult,
  keygen,
  type SignInRegistryRequest,
  type SignRequest,
  type SignResult,
  signArchive,
  signInRegistry,
  type UnsignRequest,
  type UnsignResult,
  unsignArchive,
} from './sign/index.ts';
export {
  type CommandSigner,
  type DetachedBundle,
  loadPolicy,
  loadPrivateKey,
  loadPublicKey,
  noMemory,
  readMemory,
  type Signer,
  type Trust,
  trustInKeys,
} from './trust/index.ts';
export { type Verification, type VerifyRequest, verify } from './verify/index.ts';
