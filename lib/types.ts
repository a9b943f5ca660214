/** The types of what the functions of the door take and give, each from the file that declares it. */

export type { Bytes } from '../formats/bytes.ts';
export type { ListedPackage } from '../formats/cyclonedx/listed.ts';
export type { Digest } from '../formats/digest.ts';
export type { FileFormat } from '../formats/document/schema-line.ts';
export type { Position } from '../formats/error.ts';
export type { FileField } from '../formats/file-schemas/fields.ts';
export type { FileSchema } from '../formats/file-schemas/to-json.ts';
export type { DefinitionBreak } from '../formats/kubernetes/definition-breaks.ts';
export type { FieldDifference } from '../formats/manifest/differences.ts';
export type { InstallRight } from '../formats/manifest/install-rights.ts';
export type { KubernetesObject } from '../formats/manifest/object.ts';
export type { GrantedRight, SubjectRights } from '../formats/manifest/powers.ts';
export type { Right } from '../formats/manifest/rights.ts';
export type { Descriptor, Platform } from '../formats/oci/descriptor.ts';
export type { Reference } from '../formats/oci/reference.ts';
export type { ProfileField, ProfileKey, ProfileType } from '../formats/profile/fields.ts';
export type { ProfileValue } from '../formats/profile/profile.ts';
// Types
export type { OutsideInstall } from '../formats/resolve/outside.ts';
export type { Barrier, UpgradeWay } from '../formats/resolve/upgrade-way.ts';
export type { HeldBack, Need, ReplacedWant, UnmetRecommendation } from '../formats/resolve/world.ts';
export type { ConfigurationForm } from '../formats/solution/configuration-edit.ts';
export type { Grants } from '../formats/solution/grants.ts';
export type {
  IncomingSolution,
  InstallPlan,
  KeptDraw,
  PlannedAction,
  PlannedChange,
  PlannedDraw,
  PlannedRemoval,
} from '../formats/solution/install-plan.ts';
export type { OutsideNeed } from '../formats/solution/outside-need.ts';
export type { ObjectProbe, ReadyProbe } from '../formats/solution/ready-probe.ts';
export type { Ranges, Relations } from '../formats/solution/relations.ts';
export type { DeltaBase } from '../formats/solution/selection.ts';
export type { Upgrade, UpgradeBound } from '../formats/solution/upgrade.ts';
export type { Bounds } from '../formats/trust/bounds.ts';
export type { PolicyDocument, PolicyKeyEntry, PolicyRule } from '../formats/trust/policy.ts';
export type { VexVerdict } from '../formats/vulnerabilities/openvex.ts';
export type { JudgedVulnerability } from '../formats/vulnerabilities/sarif.ts';
export type { Severity, Vulnerability } from '../formats/vulnerabilities/vulnerability.ts';
export type {
  AccessRule,
  AgentInstall,
  AgentProbes,
  AgentRequest,
  FilesFrom,
  GatheringTarget,
  ManifestPart,
  ManifestPartName,
  ManifestSettings,
  PlanState,
} from './flows/agent/index.ts';
export type { ConfigurationReport, DecisionRequest, ProposedInstall } from './flows/approval/index.ts';
export type { BootRequest, BootResult } from './flows/boot/index.ts';
export type { Extracted, ExtractRequest, ListedEntry, ListRequest } from './flows/browse/index.ts';
export type { KnownName, WantedNames } from './flows/complete/index.ts';
export type {
  ActivateRequest,
  ActivateResult,
  DeactivateRequest,
  DeactivateResult,
  Edited,
  ImportedArchive,
  ImportRequest,
  ImportResult,
  MediaReach,
  NamedArchive,
  UnimportedArchive,
  UnimportRequest,
  UnimportResult,
} from './flows/configure/index.ts';
export type { DeltaRequest, DeltaResult } from './flows/delta/index.ts';
export type {
  ArchiveDescription,
  DescribedContent,
  DescribedImage,
  DescribedPackage,
  DescribedPackages,
  DescribedUse,
} from './flows/describe/index.ts';
export type {
  BrokenDefinition,
  ChangedObject,
  DiffRequest,
  DiffResult,
  DiffSide,
  ImageChanges,
  InstallerChanges,
  LayerBytes,
  NamedObject,
  ObjectChanges,
} from './flows/diff/index.ts';
export type {
  CheckedHealth,
  DoctorCluster,
  DoctorPurpose,
  DoctorReport,
  DoctorRequest,
  HealthCode,
  HealthFinding,
  HealthState,
} from './flows/doctor/index.ts';
export type { ExplainedKind, Explanation, FileExplanation } from './flows/explain/index.ts';
export type { Exported, ExportedImage, ExportForm, ExportRequest } from './flows/export/index.ts';
export type {
  GenerationObjects,
  GenerationObjectsRequest,
  GenerationRequest,
  HistoryRequest,
  HistoryResult,
  ResolutionResult,
} from './flows/history/index.ts';
export type { InitResult } from './flows/init/index.ts';
export type {
  InspectedAttestation,
  InspectedClosure,
  InspectedComponent,
  InspectedImage,
  InspectedMedium,
  InspectedProgram,
  InspectedReferrer,
  InspectedSignature,
  Inspection,
  WantedPredicates,
} from './flows/inspect/index.ts';
export type {
  Allowance,
  Delivered,
  EmbeddedOptions,
  ImageDelivery,
  InstallAgreement,
  InstalledImage,
  InstalledSite,
  InstalledSolution,
  InstallRequest,
  InstallResult,
  Interruption,
  MovedTag,
  Pushed,
  Trusting,
} from './flows/install/index.ts';
export type { JoinMirrorRequest, JoinMirrorResult, LeaveMirrorRequest, NodeMirror } from './flows/join-mirror/index.ts';
export type { LoadedArchive, LoadedComponent, LoadImages, LoadRequest, LoadResult } from './flows/load/index.ts';
export type { Mounted, MountRequest, Unmounted } from './flows/mount/index.ts';
export type {
  InstalledState,
  InterruptedRun,
  NearArchive,
  Overview,
  OverviewRequest,
} from './flows/overview/index.ts';
export type {
  ByteSink,
  CheckResult,
  FileOptions,
  ImagesRequest,
  ImagesResult,
  InputsRequest,
  InstallerRequest,
  LockMode,
  PackRequest,
  PackResult,
} from './flows/pack/index.ts';
export type { Profile } from './flows/profile/index.ts';
export type { PullRequest, PullResult } from './flows/pull/index.ts';
export type { PushRequest, PushResult } from './flows/push/index.ts';
export type { RenderRequest, RenderResult, SolutionInput } from './flows/render/index.ts';
export type { RepairRequest, RepairResult } from './flows/repair/index.ts';
export type { ResolveRequest, ResolveResult, SetSolution } from './flows/resolve/index.ts';
export type { SolutionRights, UnknownComponent } from './flows/rights/index.ts';
export type { RollbackRequest, RollbackResult } from './flows/rollback/index.ts';
export type { ScannedImage, ScanRequest, ScanResult, ScanSubject } from './flows/scan/index.ts';
export type { ClusterRegistry } from './flows/seed/index.ts';
export type {
  ServedArchive,
  ServedConfiguration,
  ServedPage,
  ServedState,
  ServeRequest,
  Serving,
  Sources,
} from './flows/serve/index.ts';
export type {
  CarriedFile,
  ChosenWay,
  FoundKubernetes,
  FoundProgram,
  FoundPull,
  FoundRuntime,
  ImageWay,
  KubernetesDistribution,
  Machine,
  MediumKey,
  SetupAction,
  SetupRequest,
  SetupRun,
  SetupStep,
  SharedSecrets,
  StoppedRuntime,
} from './flows/setup/index.ts';
export type {
  KeygenResult,
  SignInRegistryRequest,
  SignRequest,
  SignResult,
  UnsignRequest,
  UnsignResult,
} from './flows/sign/index.ts';
export type { ArchiveOnNode, SolutionReport, StatusReport, StatusRequest } from './flows/status/index.ts';
export type { BundleFile, MissingPart, SupportBundle, SupportBundleRequest } from './flows/support-bundle/index.ts';
export type { KeptObject, UninstallAgreement, UninstallRequest, UninstallResult } from './flows/uninstall/index.ts';
export type { UpdatedInput, UpdateRequest, UpdateResult } from './flows/update/index.ts';
export type { CheckedDelta, CheckedMedium, Verification, VerifyRequest } from './flows/verify/index.ts';
export type {
  ContentSource,
  ContentTarget,
  Copied,
  Finding,
  FindingCode,
  HeldPlace,
  LocatedContent,
  NamedSource,
  NamedTarget,
  OpenOptions,
  Place,
  ReadContent,
  ReadOptions,
  RegistryPlace,
  RemotePlace,
  TakeOptions,
} from './kernel/content/index.ts';
export type {
  ComponentState,
  ErrorCode,
  ErrorDetails,
  Event,
  FilePosition,
  Flow,
  FoundFault,
  Host,
  OnEvent,
} from './kernel/events/index.ts';
export type { FileRange, HeldEntry, LogFile } from './kernel/files/index.ts';
export type { FindProxy, HostTls, HttpTiming, ProxySettings, RemoteOptions } from './kernel/http/index.ts';
export type { AbsentChild, CarrierKind, DeltaSummary } from './parts/archives/index.ts';
export type {
  Action,
  AgentCluster,
  AgentLease,
  AgentNews,
  AppliedObject,
  AppliedSolution,
  ApplyTiming,
  ApprovalCluster,
  ChartTest,
  ClusterSettings,
  ClusterTarget,
  ComponentProgress,
  DecidedSolution,
  ExposedObject,
  FieldDrift,
  FollowedConfiguration,
  FollowedDocument,
  FollowedSource,
  Generation,
  GenerationCause,
  GenerationImage,
  GenerationPlace,
  GenerationRelease,
  GenerationResolution,
  GenerationSolution,
  GenerationState,
  KubernetesOptions,
  LeaderTiming,
  ObjectState,
  ObjectStatus,
  PlanDecision,
  PodAccount,
  ProgressPlace,
  ProgressReport,
  ProgressState,
  Repair,
  RepairedObject,
  RunProgress,
  SettledRun,
  SettleRequest,
  SolutionStatus,
  SourcedValue,
} from './parts/clusters/index.ts';
export type { ComponentKindName, TreeComponentKind } from './parts/components/index.ts';
export type { Daemons } from './parts/images/index.ts';
export type { MirrorResult, MirrorText, ReleasedMirrors, Runtime } from './parts/mirrors/index.ts';
export type { FolderForm, ImageFolder, NodePlace } from './parts/node-images/index.ts';
export type {
  AskHelper,
  Credentials,
  FindCredentials,
  HelperContext,
  Locations,
  PullPlace,
  Registries,
  RegistryOptions,
  Repository,
  RepositoryTarget,
  UploadSizes,
} from './parts/registries/index.ts';
export type { TlsFiles } from './parts/registry-server/index.ts';
export type { ScannerName } from './parts/scanners/index.ts';
export type { SourceConnections } from './parts/sources/index.ts';
export type {
  CommandSigner,
  DetachedBundle,
  DocumentSigned,
  Memory,
  Mended,
  MendRequest,
  Passphrase,
  Policy,
  PolicyKey,
  PrivateKey,
  PublicKey,
  Remembered,
  Rotation,
  RotationRequest,
  Shown,
  ShownSolution,
  SignatureAlgorithm,
  Signer,
  StatementVerdict,
  Trust,
} from './parts/trust/index.ts';
export type {
  ClosureFinding,
  ClosureFindingCode,
  DrawnObject,
  ImagePlace,
  ReportedImage,
  SiteChange,
  SiteChanges,
} from './shared/rendering/index.ts';
export type { CheckedAttestation } from './shared/solutions/attestations/index.ts';
export type { BroughtSolution, MissingImage, NamedRemovals } from './shared/solutions/clusters/index.ts';
export type { WholeLayer } from './shared/solutions/deltas/index.ts';
export type { ArchivePlace, MediaContext, NamedArchives } from './shared/solutions/media/index.ts';
export type { NodeVariable } from './shared/solutions/node-variables/index.ts';
export type { Origin, WrittenGrants } from './shared/solutions/origin/index.ts';
export type { Choice } from './shared/solutions/sets/index.ts';
export type { HandedValues } from './shared/solutions/sites/index.ts';
export type { ReturnTrust } from './shared/solutions/trusted/index.ts';
