/**
 * solpack for programs. A flow takes a request and a `Flow` (signal, events, host), prints nothing, and throws
 * `SolpackError`. Each function loads its module when it is first called, so that whoever needs one does not wait for all.
 */
import { lazily, lazilyEach } from './lazily.ts';

// Making a Solution
export const init = lazily(async () => (await import('./init/index.ts')).init);
export const listImages = lazily(async () => (await import('./pack/index.ts')).listImages);
export const pack = lazily(async () => (await import('./pack/index.ts')).pack);
export const check = lazily(async () => (await import('./pack/index.ts')).check);
export const renderSolution = lazily(async () => (await import('./render/index.ts')).renderSolution);
export const renderedText = lazily(async () => (await import('./render/text.ts')).renderedText);
export const diff = lazily(async () => (await import('./diff/index.ts')).diff);

// Looking into archives
export const inspect = lazily(async () => (await import('./inspect/index.ts')).inspect);
export const inspectRights = lazily(async () => (await import('./rights/index.ts')).inspectRights);
export const readPredicates = lazily(async () => (await import('./inspect/attestations.ts')).readPredicates);
export const list = lazilyEach(async () => (await import('./browse/index.ts')).list);
export const extract = lazily(async () => (await import('./browse/index.ts')).extract);
export const exportImages = lazily(async () => (await import('./export/index.ts')).exportImages);
export const mountArchive = lazily(async () => (await import('./mount/index.ts')).mountArchive);
export const unmountArchive = lazily(async () => (await import('./mount/index.ts')).unmountArchive);

// Trust
export const verify = lazily(async () => (await import('./verify/index.ts')).verify);
export const keygen = lazily(async () => (await import('./sign/index.ts')).keygen);
export const signArchive = lazily(async () => (await import('./sign/index.ts')).signArchive);
export const signInRegistry = lazily(async () => (await import('./sign/index.ts')).signInRegistry);
export const unsignArchive = lazily(async () => (await import('./sign/index.ts')).unsignArchive);
export const loadPublicKey = lazily(async () => (await import('./trust/index.ts')).loadPublicKey);
export const loadPrivateKey = lazily(async () => (await import('./trust/index.ts')).loadPrivateKey);
export const trustInKeys = lazily(async () => (await import('./trust/index.ts')).trustInKeys);
export const trustInFingerprints = lazily(async () => (await import('./trust/index.ts')).trustInFingerprints);
export const trustInNobody = lazily(async () => (await import('./trust/index.ts')).trustInNobody);
export const loadPolicy = lazily(async () => (await import('./trust/index.ts')).loadPolicy);
export const acceptPolicy = lazily(async () => (await import('./trust/index.ts')).acceptPolicy);
export const signDocument = lazily(async () => (await import('./trust/index.ts')).signDocument);
export const readMemory = lazily(async () => (await import('./trust/index.ts')).readMemory);
export const showMemory = lazily(async () => (await import('./trust/index.ts')).showMemory);
export const mendMemory = lazily(async () => (await import('./trust/index.ts')).mendMemory);

// Where archives and images are
export const archiveNamed = lazily(async () => (await import('./solutions/media/index.ts')).archiveNamed);
export const archivesNamed = lazily(async () => (await import('./solutions/media/index.ts')).archivesNamed);
export const referenceNamed = lazily(async () => (await import('./solutions/media/reference.ts')).referenceNamed);
export const solutionReference = lazily(async () => (await import('./registries/index.ts')).solutionReference);
export const openRegistries = lazily(async () => (await import('./registries/index.ts')).openRegistries);
export const openReference = lazily(async () => (await import('./registries/index.ts')).openReference);
export const listReferenceTags = lazily(async () => (await import('./registries/index.ts')).listReferenceTags);
export const readLocations = lazily(async () => (await import('./registries/index.ts')).readLocations);
export const certificatesFrom = lazily(async () => (await import('./registries/index.ts')).certificatesFrom);
export const credentialsFromFiles = lazily(async () => (await import('./registries/index.ts')).credentialsFromFiles);
export const credentialHelpers = lazily(async () => (await import('./registries/index.ts')).credentialHelpers);

// Moving archives and images
export const push = lazily(async () => (await import('./push/index.ts')).push);
export const pull = lazily(async () => (await import('./pull/index.ts')).pull);
export const serve = lazily(async () => (await import('./serve/index.ts')).serve);
export const servedImages = lazily(async () => (await import('./serve/index.ts')).servedImages);
export const mirrorTexts = lazily(async () => (await import('./serve/index.ts')).mirrorTexts);
export const joinMirror = lazily(async () => (await import('./join-mirror/index.ts')).joinMirror);
export const leaveMirror = lazily(async () => (await import('./join-mirror/index.ts')).leaveMirror);
export const nodeMirrors = lazily(async () => (await import('./join-mirror/node-mirrors.ts')).nodeMirrors);
export const writeMirrors = lazily(async () => (await import('./mirrors/index.ts')).writeMirrors);

// Installing
export const foreseeImport = lazily(async () => (await import('./configure/index.ts')).foreseeImport);
export const importArchives = lazily(async () => (await import('./configure/index.ts')).importArchives);
export const unimportArchives = lazily(async () => (await import('./configure/index.ts')).unimportArchives);
export const activateSolution = lazily(async () => (await import('./configure/index.ts')).activateSolution);
export const deactivateSolution = lazily(async () => (await import('./configure/index.ts')).deactivateSolution);
export const readGrants = lazily(async () => (await import('./solutions/origin/grants.ts')).readGrants);
export const configuredServers = lazily(async () => (await import('./solutions/configuration.ts')).configuredServers);
export const resolveSet = lazily(async () => (await import('./resolve/index.ts')).resolveSet);
export const install = lazily(async () => (await import('./install/index.ts')).install);
export const foreseeInstall = lazily(async () => (await import('./install/index.ts')).foreseeInstall);
export const embeddedRegistry = lazily(async () => (await import('./install/index.ts')).embeddedRegistry);
export const pushedToRegistry = lazily(async () => (await import('./install/index.ts')).pushedToRegistry);
export const runningServe = lazily(async () => (await import('./install/index.ts')).runningServe);
export const seededRegistry = lazily(async () => (await import('./seed/index.ts')).seededRegistry);
export const imageFolder = lazily(async () => (await import('./node-images/index.ts')).imageFolder);
export const onThisNode = lazily(async () => (await import('./install/index.ts')).onThisNode);
export const alsoListed = lazily(async () => (await import('./install/index.ts')).alsoListed);
export const load = lazily(async () => (await import('./load/index.ts')).load);
export const foreseeLoad = lazily(async () => (await import('./load/index.ts')).foreseeLoad);
export const kubernetesTarget = lazily(async () => (await import('./clusters/index.ts')).kubernetesTarget);
export const directoryTarget = lazily(async () => (await import('./clusters/index.ts')).directoryTarget);

// After an install
export const status = lazily(async () => (await import('./status/index.ts')).status);
export const watchStatus = lazily(async () => (await import('./status/index.ts')).watchStatus);
export const history = lazily(async () => (await import('./history/index.ts')).history);
export const rollback = lazily(async () => (await import('./rollback/index.ts')).rollback);
export const repair = lazily(async () => (await import('./repair/index.ts')).repair);
export const keepRepairing = lazily(async () => (await import('./repair/index.ts')).keepRepairing);
export const reportProgress = lazily(async () => (await import('./clusters/index.ts')).reportProgress);
export const settleProgress = lazily(async () => (await import('./clusters/index.ts')).settleProgress);
export const gatheringTarget = lazily(async () => (await import('./agent/objects.ts')).gatheringTarget);
export const runAgent = lazily(async () => (await import('./agent/index.ts')).runAgent);
export const agentCluster = lazily(async () => (await import('./agent/index.ts')).agentCluster);
export const uninstall = lazily(async () => (await import('./uninstall/index.ts')).uninstall);
export const makeSupportBundle = lazily(async () => (await import('./support-bundle/index.ts')).makeSupportBundle);

// Words
export const lookAtMachine = lazily(async () => (await import('./setup/index.ts')).lookAtMachine);
export const keysOnMedium = lazily(async () => (await import('./setup/index.ts')).keysOnMedium);
export const chooseWay = lazily(async () => (await import('./setup/index.ts')).chooseWay);
export const planSetup = lazily(async () => (await import('./setup/index.ts')).planSetup);
export const carryOutSetup = lazily(async () => (await import('./setup/index.ts')).carryOutSetup);
export const undoSetup = lazily(async () => (await import('./setup/index.ts')).undoSetup);
export const doctor = lazily(async () => (await import('./doctor/index.ts')).doctor);
export const overview = lazily(async () => (await import('./overview/index.ts')).overview);
export const readProfile = lazily(async () => (await import('./profile/index.ts')).readProfile);
export const setProfile = lazily(async () => (await import('./profile/index.ts')).setProfile);
export const unsetProfile = lazily(async () => (await import('./profile/index.ts')).unsetProfile);
export const fileSchema = lazily(async () => (await import('../formats/file-schemas/index.ts')).fileSchema);
export const explainCode = lazily(async () => (await import('./explain/index.ts')).explainCode);
export const explanations = lazily(async () => (await import('./explain/index.ts')).explanations);
export const knownNames = lazilyEach(async () => (await import('./complete/index.ts')).knownNames);
export const meantWord = lazily(async () => (await import('./suggest.ts')).meantWord);

// Files
export const isFolder = lazily(async () => (await import('./disk.ts')).isFolder);
export const isThere = lazily(async () => (await import('./disk.ts')).isThere);
export const openLogFile = lazily(async () => (await import('./log-file.ts')).openLogFile);

// Helpers, and the types of what all of these take and give
export type { Bytes } from '../formats/bytes.ts';
export type { Digest } from '../formats/digest.ts';
export { type FileFormat, fileFormats } from '../formats/document/schema-line.ts';
export type { Position } from '../formats/error.ts';
export { exactJson } from '../formats/exact-json.ts';
export type { FileSchema } from '../formats/file-schemas/to-json.ts';
export type { DefinitionBreak } from '../formats/kubernetes/definition-breaks.ts';
export type { FieldDifference } from '../formats/manifest/differences.ts';
export type { InstallRight } from '../formats/manifest/install-rights.ts';
export type { KubernetesObject } from '../formats/manifest/object.ts';
export type { GrantedRight, SubjectRights } from '../formats/manifest/powers.ts';
export type { Right } from '../formats/manifest/rights.ts';
export type { Descriptor, Platform } from '../formats/oci/descriptor.ts';
export type { Reference } from '../formats/oci/reference.ts';
export {
  isProfileKey,
  type ProfileField,
  type ProfileKey,
  type ProfileType,
  profileFields,
} from '../formats/profile/fields.ts';
export type { ProfileValue } from '../formats/profile/profile.ts';
export type { Need, ReplacedWant, UnmetRecommendation } from '../formats/resolve/world.ts';
export { sizeWords } from '../formats/size-words.ts';
export type { ConfigurationForm } from '../formats/solution/configuration-edit.ts';
export type { Grants } from '../formats/solution/grants.ts';
export type {
  IncomingSolution,
  InstallPlan,
  PlannedAction,
  PlannedChange,
  PlannedRemoval,
} from '../formats/solution/install-plan.ts';
export type { ReadyProbe } from '../formats/solution/ready-probe.ts';
export type { Ranges, Relations } from '../formats/solution/relations.ts';
export { removalWords } from '../formats/solution/removal-words.ts';
export type { Bounds } from '../formats/trust/bounds.ts';
export type { PolicyDocument, PolicyKeyEntry, PolicyRule } from '../formats/trust/policy.ts';
export type { ManifestPartName } from './agent/manifests/index.ts';
export { manifestParts, manifestsOf } from './agent/manifests/index.ts';
export type { AccessRule, FilesFrom, ManifestPart, ManifestSettings } from './agent/manifests/settings.ts';
export type { GatheringTarget } from './agent/objects.ts';
export type { AgentProbes, AgentRequest } from './agent/request.ts';
export type { AbsentChild } from './archives/absent-children.ts';
export type { CarrierKind } from './archives/carrier.ts';
export type { Extracted, ExtractRequest } from './browse/extract.ts';
export type { ListedEntry, ListRequest } from './browse/list.ts';
export type {
  AgentCluster,
  AgentLease,
  AgentNews,
  FollowedDocument,
  FollowedSource,
} from './clusters/agent-cluster.ts';
export type {
  Generation,
  GenerationCause,
  GenerationImage,
  GenerationPlace,
  GenerationRelease,
  GenerationSolution,
  GenerationState,
} from './clusters/generation.ts';
export type {
  Action,
  AppliedObject,
  AppliedSolution,
  ChartTest,
  ClusterTarget,
  ExposedObject,
} from './clusters/kind.ts';
export type { LeaderTiming } from './clusters/kubernetes/agent/leadership.ts';
export type { PodAccount } from './clusters/kubernetes/client/pod-account.ts';
export type { KubernetesOptions } from './clusters/kubernetes/index.ts';
export type { ProgressPlace } from './clusters/kubernetes/progress/board.ts';
export type { ComponentProgress, ProgressState, RunProgress } from './clusters/kubernetes/progress/document.ts';
export type { ProgressReport } from './clusters/kubernetes/progress/report.ts';
export type { SettledRun, SettleRequest } from './clusters/kubernetes/progress/settle.ts';
export type { ApplyTiming } from './clusters/kubernetes/session.ts';
export type {
  FieldDrift,
  ObjectState,
  ObjectStatus,
  Repair,
  RepairedObject,
  SolutionStatus,
} from './clusters/presence.ts';
export type { Told, ToldByCluster } from './clusters/told.ts';
export type { WantedNames } from './complete/index.ts';
export type { KnownName } from './complete/name.ts';
export type { ComponentKindName } from './components/kind.ts';
export type { TreeComponentKind } from './components/tree/read.ts';
export type { ActivateRequest, ActivateResult } from './configure/activate.ts';
export type { DeactivateRequest, DeactivateResult } from './configure/deactivate.ts';
export type { ImportedArchive, ImportRequest, ImportResult } from './configure/import.ts';
export type { Edited, MediaReach, NamedArchive } from './configure/request.ts';
export type { UnimportedArchive, UnimportRequest, UnimportResult } from './configure/unimport.ts';
export type { Copied } from './copy.ts';
export type { ImageChanges, LayerBytes } from './diff/images.ts';
export type { BrokenDefinition, DiffRequest, DiffResult, DiffSide } from './diff/index.ts';
export type { InstallerChanges } from './diff/installer.ts';
export type { ChangedObject, NamedObject, ObjectChanges } from './diff/objects.ts';
export type {
  CheckedHealth,
  DoctorCluster,
  DoctorPurpose,
  DoctorReport,
  DoctorRequest,
  HealthCode,
  HealthFinding,
  HealthState,
} from './doctor/request.ts';
export { duration } from './durations.ts';
export type { ErrorCode, ErrorDetails, FilePosition, FoundFault } from './errors.ts';
export { errorInfo, exits, redact, SolpackError } from './errors.ts';
export type { ComponentState, Event, OnEvent } from './events.ts';
export type { ExplainedKind, Explanation } from './explain/index.ts';
export type { Exported, ExportedImage, ExportForm, ExportRequest } from './export/index.ts';
export type { FileRange } from './file-range.ts';
export type { Flow } from './flow.ts';
export { lend } from './flow.ts';
export type { HeldEntry } from './held-entry.ts';
export type { HistoryRequest, HistoryResult } from './history/index.ts';
export type { Host } from './host.ts';
export { pathFolders } from './host.ts';
export { certificatesIn } from './http/authorities.ts';
export type { FindProxy, ProxySettings } from './http/proxy.ts';
export { proxiesOf } from './http/proxy.ts';
export type { RemoteOptions } from './http/remote-file.ts';
export type { HostTls } from './http/routes.ts';
export type { HttpTiming } from './http/timing.ts';
export type { Daemons } from './images/kind.ts';
export type { InitResult } from './init/index.ts';
export type { InspectedAttestation, WantedPredicates } from './inspect/attestations.ts';
export type {
  InspectedClosure,
  InspectedComponent,
  InspectedImage,
  InspectedMedium,
  InspectedProgram,
  InspectedReferrer,
  InspectedSignature,
  Inspection,
} from './inspect/index.ts';
export type { Delivered, ImageDelivery } from './install/delivery/delivery.ts';
export type { EmbeddedOptions } from './install/delivery/embedded.ts';
export type { MovedTag, Pushed } from './install/delivery/push/pushed.ts';
export type { Allowance } from './install/preflight/allowances.ts';
export type {
  InstallAgreement,
  InstalledImage,
  InstalledSite,
  InstalledSolution,
  InstallRequest,
  InstallResult,
} from './install/request.ts';
export type { Trusting } from './install/trusting.ts';
export type { JoinMirrorRequest, JoinMirrorResult, LeaveMirrorRequest } from './join-mirror/index.ts';
export type { NodeMirror } from './join-mirror/node-mirrors.ts';
export type { LoadedArchive, LoadImages } from './load/image-request.ts';
export type { LoadedComponent, LoadRequest, LoadResult } from './load/request.ts';
export type { LogFile } from './log-file.ts';
export type { MirrorResult, ReleasedMirrors } from './mirrors/index.ts';
export type { MirrorText, Runtime } from './mirrors/runtime-config.ts';
export type {
  ContentSource,
  ContentTarget,
  Finding,
  FindingCode,
  LocatedContent,
  NamedSource,
  NamedTarget,
  OpenOptions,
  ReadContent,
  ReadOptions,
  TakeOptions,
} from './model.ts';
export { findings } from './model.ts';
export type { Mounted, MountRequest, Unmounted } from './mount/index.ts';
export type { FolderForm, ImageFolder, NodePlace } from './node-images/index.ts';
export { readFile } from './open-file.ts';
export type { InstalledState, NearArchive, Overview, OverviewRequest } from './overview/request.ts';
export type { CheckResult } from './pack/check.ts';
export type { PackRequest, PackResult } from './pack/index.ts';
export type { InstallerRequest } from './pack/installer-programs.ts';
export type { ImagesRequest, ImagesResult } from './pack/list-images.ts';
export type { LockMode } from './pack/lock-mode.ts';
export type { ByteSink, FileOptions } from './pack/output.ts';
export type { InputsRequest } from './pack/prepare.ts';
export type { HeldPlace, Place, RegistryPlace, RemotePlace } from './place.ts';
export type { Profile } from './profile/index.ts';
export type { PullRequest, PullResult } from './pull/index.ts';
export type { PushRequest, PushResult } from './push/request.ts';
export type { HelperContext } from './registries/credential-helper.ts';
export type { AskHelper, Credentials, FindCredentials } from './registries/credentials.ts';
export type { Locations, PullPlace, RegistryOptions, UploadSizes } from './registries/options.ts';
export type { Registries, Repository } from './registries/repository-kind.ts';
export type { RepositoryTarget } from './registries/repository-target.ts';
export type { TlsFiles } from './registry-server/listen.ts';
export type { RenderRequest, RenderResult } from './render/index.ts';
export type { SolutionInput } from './render/open.ts';
export type { DrawnObject } from './rendering/closure/drawn-objects.ts';
export type { ClosureFinding, ClosureFindingCode } from './rendering/closure/findings.ts';
export { findingWords } from './rendering/closure/findings.ts';
export type { ImagePlace, ReportedImage } from './rendering/reported-images.ts';
export type { SiteChange, SiteChanges } from './rendering/site-changes.ts';
export type { RepairRequest, RepairResult } from './repair/index.ts';
export type { ResolveRequest, ResolveResult, SetSolution } from './resolve/index.ts';
export type { SolutionRights } from './rights/index.ts';
export type { RollbackRequest, RollbackResult } from './rollback/index.ts';
export { ownRun } from './runs.ts';
export type { ClusterRegistry } from './seed/cluster-registry.ts';
export type { ServeRequest, Serving } from './serve/index.ts';
export type { Sources } from './serve/sources.ts';
export type { SetupAction, SetupStep } from './setup/action.ts';
export type { SetupRun } from './setup/carry-out.ts';
export type { ChosenWay, ImageWay } from './setup/choose.ts';
export { SERVE, STORE } from './setup/choose.ts';
export type { FoundKubernetes, FoundProgram, FoundRuntime, KubernetesDistribution, Machine } from './setup/machine.ts';
export type { MediumKey } from './setup/medium-keys.ts';
export type { CarriedFile, SetupRequest } from './setup/plan.ts';
export type { StoppedRuntime } from './setup/stopped-runtime.ts';
export type { KeygenResult } from './sign/keygen.ts';
export type { SignInRegistryRequest } from './sign/registry.ts';
export type { SignRequest, SignResult } from './sign/request.ts';
export type { UnsignRequest, UnsignResult } from './sign/unsign.ts';
export type { CheckedAttestation } from './solutions/check-attestations.ts';
export type { Choice } from './solutions/choices.ts';
export type { BroughtSolution } from './solutions/generations.ts';
export type { ArchivePlace, MediaContext, NamedArchives } from './solutions/media/kind.ts';
export type { MissingImage } from './solutions/missing-images.ts';
export type { NodeVariable } from './solutions/node-variables/index.ts';
export type { WrittenGrants } from './solutions/origin/grants.ts';
export type { Origin } from './solutions/origin/origin.ts';
export type { ReturnTrust } from './solutions/permit.ts';
export type { HandedValues } from './solutions/sites/read.ts';
export type { SourceConnections } from './sources/kind.ts';
export type { ArchiveOnNode } from './status/archives.ts';
export type { SolutionReport, StatusReport, StatusRequest } from './status/index.ts';
export { isAllReady, overallState } from './status/overall-state.ts';
export type { BundleFile, MissingPart, SupportBundle, SupportBundleRequest } from './support-bundle/request.ts';
export { codeOf, reasonOf, unwritable } from './system-errors.ts';
export type { CommandSigner } from './trust/command.ts';
export type { DocumentSigned } from './trust/documents.ts';
export type { Trust } from './trust/judge.ts';
export type { PublicKey, SignatureAlgorithm } from './trust/keys.ts';
export type { Memory, Remembered } from './trust/memory.ts';
export type { Mended, MendRequest } from './trust/mend.ts';
export type { Policy, PolicyKey } from './trust/policy.ts';
export type { Passphrase, PrivateKey } from './trust/private.ts';
export type { Rotation, RotationRequest } from './trust/rotation.ts';
export type { Shown, ShownSolution } from './trust/show.ts';
export type { Signer } from './trust/sign.ts';
export type { StatementVerdict } from './trust/statements.ts';
export type { DetachedBundle } from './trust/verify.ts';
export type { KeptObject, UninstallRequest, UninstallResult } from './uninstall/index.ts';
export type { VerifyRequest } from './verify/request.ts';
export type { CheckedMedium, Verification } from './verify/verification.ts';
