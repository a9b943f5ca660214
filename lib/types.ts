/** The types of what the functions of the door take and give, each from the file that declares it. */

// Types
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
export type { ObjectProbe, ReadyProbe } from '../formats/solution/ready-probe.ts';
export type { Ranges, Relations } from '../formats/solution/relations.ts';
export type { DeltaBase } from '../formats/solution/selection.ts';
export type { Upgrade, UpgradeBound } from '../formats/solution/upgrade.ts';
export type { Bounds } from '../formats/trust/bounds.ts';
export type { PolicyDocument, PolicyKeyEntry, PolicyRule } from '../formats/trust/policy.ts';
export type { VexVerdict } from '../formats/vulnerabilities/openvex.ts';
export type { JudgedVulnerability } from '../formats/vulnerabilities/sarif.ts';
export type { Severity, Vulnerability } from '../formats/vulnerabilities/vulnerability.ts';
export type { ManifestPartName } from './flows/agent/manifests/index.ts';
export type { AccessRule, FilesFrom, ManifestPart, ManifestSettings } from './flows/agent/manifests/settings.ts';
export type { GatheringTarget } from './flows/agent/objects.ts';
export type { AgentProbes, AgentRequest } from './flows/agent/request.ts';
export type { BootRequest, BootResult } from './flows/boot/request.ts';
export type { Extracted, ExtractRequest } from './flows/browse/extract.ts';
export type { ListedEntry, ListRequest } from './flows/browse/list.ts';
export type { WantedNames } from './flows/complete/index.ts';
export type { KnownName } from './flows/complete/name.ts';
export type { ActivateRequest, ActivateResult } from './flows/configure/activate.ts';
export type { DeactivateRequest, DeactivateResult } from './flows/configure/deactivate.ts';
export type { ImportedArchive, ImportRequest, ImportResult } from './flows/configure/import.ts';
export type { Edited, MediaReach, NamedArchive } from './flows/configure/request.ts';
export type { UnimportedArchive, UnimportRequest, UnimportResult } from './flows/configure/unimport.ts';
export type { DeltaRequest, DeltaResult } from './flows/delta/index.ts';
export type {
  ArchiveDescription,
  DescribedContent,
  DescribedImage,
  DescribedPackage,
  DescribedPackages,
  DescribedUse,
} from './flows/describe/description.ts';
export type { ImageChanges, LayerBytes } from './flows/diff/images.ts';
export type { BrokenDefinition, DiffRequest, DiffResult, DiffSide } from './flows/diff/index.ts';
export type { InstallerChanges } from './flows/diff/installer.ts';
export type { ChangedObject, NamedObject, ObjectChanges } from './flows/diff/objects.ts';
export type {
  CheckedHealth,
  DoctorCluster,
  DoctorPurpose,
  DoctorReport,
  DoctorRequest,
  HealthCode,
  HealthFinding,
  HealthState,
} from './flows/doctor/request.ts';
export type { FileExplanation } from './flows/explain/files.ts';
export type { ExplainedKind, Explanation } from './flows/explain/index.ts';
export type { Exported, ExportedImage, ExportForm, ExportRequest } from './flows/export/index.ts';
export type { GenerationObjects, GenerationObjectsRequest, GenerationRequest } from './flows/history/content.ts';
export type { HistoryRequest, HistoryResult } from './flows/history/index.ts';
export type { ResolutionResult } from './flows/history/resolution.ts';
export type { InitResult } from './flows/init/index.ts';
export type { InspectedAttestation, WantedPredicates } from './flows/inspect/attestations.ts';
export type {
  InspectedClosure,
  InspectedComponent,
  InspectedImage,
  InspectedMedium,
  InspectedProgram,
  InspectedReferrer,
  InspectedSignature,
  Inspection,
} from './flows/inspect/index.ts';
export type { Delivered, ImageDelivery } from './flows/install/delivery/delivery.ts';
export type { EmbeddedOptions } from './flows/install/delivery/embedded.ts';
export type { MovedTag, Pushed } from './flows/install/delivery/push/pushed.ts';
export type { Allowance } from './flows/install/preflight/allowances.ts';
export type {
  InstallAgreement,
  InstalledImage,
  InstalledSite,
  InstalledSolution,
  InstallRequest,
  InstallResult,
  Interruption,
} from './flows/install/request.ts';
export type { Trusting } from './flows/install/trusting.ts';
export type { JoinMirrorRequest, JoinMirrorResult, LeaveMirrorRequest } from './flows/join-mirror/index.ts';
export type { NodeMirror } from './flows/join-mirror/node-mirrors.ts';
export type { LoadedArchive, LoadImages } from './flows/load/image-request.ts';
export type { LoadedComponent, LoadRequest, LoadResult } from './flows/load/request.ts';
export type { Mounted, MountRequest, Unmounted } from './flows/mount/index.ts';
export type {
  InstalledState,
  InterruptedRun,
  NearArchive,
  Overview,
  OverviewRequest,
} from './flows/overview/request.ts';
export type { CheckResult } from './flows/pack/check.ts';
export type { PackRequest, PackResult } from './flows/pack/index.ts';
export type { InstallerRequest } from './flows/pack/installer-programs.ts';
export type { ImagesRequest, ImagesResult } from './flows/pack/list-images.ts';
export type { LockMode } from './flows/pack/lock-mode.ts';
export type { ByteSink, FileOptions } from './flows/pack/output.ts';
export type { InputsRequest } from './flows/pack/prepare.ts';
export type { Profile } from './flows/profile/index.ts';
export type { PullRequest, PullResult } from './flows/pull/index.ts';
export type { PushRequest, PushResult } from './flows/push/request.ts';
export type { RenderRequest, RenderResult } from './flows/render/index.ts';
export type { SolutionInput } from './flows/render/open.ts';
export type { RepairRequest, RepairResult } from './flows/repair/index.ts';
export type { ResolveRequest, ResolveResult, SetSolution } from './flows/resolve/index.ts';
export type { SolutionRights, UnknownComponent } from './flows/rights/solution-rights.ts';
export type { RollbackRequest, RollbackResult } from './flows/rollback/index.ts';
export type { ScannedImage, ScanRequest, ScanResult } from './flows/scan/index.ts';
export type { ScanSubject } from './flows/scan/sboms.ts';
export type { ClusterRegistry } from './flows/seed/cluster-registry.ts';
export type { ServedPage, ServeRequest, Serving } from './flows/serve/index.ts';
export type { ServedArchive, ServedConfiguration, ServedState } from './flows/serve/served-state.ts';
export type { Sources } from './flows/serve/sources.ts';
export type { SetupAction, SetupStep } from './flows/setup/action.ts';
export type { SetupRun } from './flows/setup/carry-out.ts';
export type { ChosenWay, ImageWay } from './flows/setup/choose.ts';
export type {
  FoundKubernetes,
  FoundProgram,
  FoundPull,
  FoundRuntime,
  KubernetesDistribution,
  Machine,
} from './flows/setup/machine.ts';
export type { MediumKey } from './flows/setup/medium-keys.ts';
export type { CarriedFile, SetupRequest } from './flows/setup/plan.ts';
export type { SharedSecrets } from './flows/setup/shared.ts';
export type { StoppedRuntime } from './flows/setup/stopped-runtime.ts';
export type { KeygenResult } from './flows/sign/keygen.ts';
export type { SignInRegistryRequest } from './flows/sign/registry.ts';
export type { SignRequest, SignResult } from './flows/sign/request.ts';
export type { UnsignRequest, UnsignResult } from './flows/sign/unsign.ts';
export type { ArchiveOnNode } from './flows/status/archives.ts';
export type { SolutionReport, StatusReport, StatusRequest } from './flows/status/index.ts';
export type { BundleFile, MissingPart, SupportBundle, SupportBundleRequest } from './flows/support-bundle/request.ts';
export type { UninstallAgreement } from './flows/uninstall/data-going.ts';
export type { UninstallRequest } from './flows/uninstall/index.ts';
export type { KeptObject, UninstallResult } from './flows/uninstall/result.ts';
export type { CheckedDelta } from './flows/verify/checked-delta.ts';
export type { VerifyRequest } from './flows/verify/request.ts';
export type { CheckedMedium, Verification } from './flows/verify/verification.ts';
export type { Copied } from './kernel/content/copy.ts';
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
} from './kernel/content/model.ts';
export type { HeldPlace, Place, RegistryPlace, RemotePlace } from './kernel/content/place.ts';
export type { ErrorCode, ErrorDetails, FilePosition, FoundFault } from './kernel/events/errors.ts';
export type { ComponentState, Event, OnEvent } from './kernel/events/events.ts';
export type { Flow } from './kernel/events/flow.ts';
export type { Host } from './kernel/events/host.ts';
export type { FileRange } from './kernel/files/file-range.ts';
export type { HeldEntry } from './kernel/files/held-entry.ts';
export type { LogFile } from './kernel/files/log-file.ts';
export type { FindProxy, ProxySettings } from './kernel/http/proxy.ts';
export type { RemoteOptions } from './kernel/http/remote-file.ts';
export type { HostTls } from './kernel/http/routes.ts';
export type { HttpTiming } from './kernel/http/timing.ts';
export type { AbsentChild } from './parts/archives/absent-children.ts';
export type { DeltaSummary } from './parts/archives/absent-contents.ts';
export type { CarrierKind } from './parts/archives/carrier.ts';
export type {
  AgentCluster,
  AgentLease,
  AgentNews,
  FollowedDocument,
  FollowedSource,
} from './parts/clusters/agent-cluster.ts';
export type { ClusterSettings, SourcedValue } from './parts/clusters/cluster-settings.ts';
export type {
  DecidedSolution,
  Generation,
  GenerationCause,
  GenerationImage,
  GenerationPlace,
  GenerationRelease,
  GenerationResolution,
  GenerationSolution,
  GenerationState,
} from './parts/clusters/generation.ts';
export type {
  Action,
  AppliedObject,
  AppliedSolution,
  ChartTest,
  ClusterTarget,
  ExposedObject,
} from './parts/clusters/kind.ts';
export type { LeaderTiming } from './parts/clusters/kubernetes/agent/leadership.ts';
export type { ProgressPlace } from './parts/clusters/kubernetes/health/progress/board.ts';
export type {
  ComponentProgress,
  ProgressState,
  RunProgress,
} from './parts/clusters/kubernetes/health/progress/document.ts';
export type { ProgressReport } from './parts/clusters/kubernetes/health/progress/report.ts';
export type { SettledRun, SettleRequest } from './parts/clusters/kubernetes/health/progress/settle.ts';
export type { PodAccount } from './parts/clusters/kubernetes/server/client/pod-account.ts';
export type { KubernetesOptions } from './parts/clusters/kubernetes/server/options.ts';
export type { ApplyTiming } from './parts/clusters/kubernetes/server/session.ts';
export type {
  FieldDrift,
  ObjectState,
  ObjectStatus,
  Repair,
  RepairedObject,
  SolutionStatus,
} from './parts/clusters/presence.ts';
export type { ComponentKindName } from './parts/components/kind.ts';
export type { TreeComponentKind } from './parts/components/tree/read.ts';
export type { Daemons } from './parts/images/kind.ts';
export type { MirrorResult, ReleasedMirrors } from './parts/mirrors/index.ts';
export type { MirrorText, Runtime } from './parts/mirrors/runtime-config.ts';
export type { FolderForm, ImageFolder, NodePlace } from './parts/node-images/index.ts';
export type { HelperContext } from './parts/registries/credential-helper.ts';
export type { AskHelper, Credentials, FindCredentials } from './parts/registries/credentials.ts';
export type { Locations, PullPlace, RegistryOptions, UploadSizes } from './parts/registries/options.ts';
export type { Registries, Repository } from './parts/registries/repository-kind.ts';
export type { RepositoryTarget } from './parts/registries/repository-target.ts';
export type { TlsFiles } from './parts/registry-server/listen.ts';
export type { ScannerName } from './parts/scanners/kind.ts';
export type { SourceConnections } from './parts/sources/kind.ts';
export type { CommandSigner } from './parts/trust/command.ts';
export type { DocumentSigned } from './parts/trust/documents.ts';
export type { Trust } from './parts/trust/judge.ts';
export type { PublicKey, SignatureAlgorithm } from './parts/trust/keys.ts';
export type { Memory, Remembered } from './parts/trust/memory.ts';
export type { Mended, MendRequest } from './parts/trust/mend.ts';
export type { Policy, PolicyKey } from './parts/trust/policy.ts';
export type { Passphrase, PrivateKey } from './parts/trust/private.ts';
export type { Rotation, RotationRequest } from './parts/trust/rotation.ts';
export type { Shown, ShownSolution } from './parts/trust/show.ts';
export type { Signer } from './parts/trust/sign.ts';
export type { StatementVerdict } from './parts/trust/statements.ts';
export type { DetachedBundle } from './parts/trust/verify.ts';
export type { DrawnObject } from './shared/rendering/closure/drawn-objects.ts';
export type { ClosureFinding, ClosureFindingCode } from './shared/rendering/closure/findings.ts';
export type { ImagePlace, ReportedImage } from './shared/rendering/reported-images.ts';
export type { SiteChange, SiteChanges } from './shared/rendering/site-changes.ts';
export type { CheckedAttestation } from './shared/solutions/attestations/check-attestations.ts';
export type { BroughtSolution } from './shared/solutions/clusters/generations.ts';
export type { MissingImage } from './shared/solutions/clusters/missing-images.ts';
export type { NamedRemovals } from './shared/solutions/clusters/named-removals.ts';
export type { WholeLayer } from './shared/solutions/deltas/below/index.ts';
export type { ArchivePlace, MediaContext, NamedArchives } from './shared/solutions/media/kind.ts';
export type { NodeVariable } from './shared/solutions/node-variables/index.ts';
export type { WrittenGrants } from './shared/solutions/origin/grants.ts';
export type { Origin } from './shared/solutions/origin/origin.ts';
export type { Choice } from './shared/solutions/sets/choices.ts';
export type { HandedValues } from './shared/solutions/sites/read.ts';
export type { ReturnTrust } from './shared/solutions/trusted/permit.ts';
