/**
 * solpack for programs. A flow takes a request and a `Flow` (signal, events, host), prints nothing, and throws
 * `SolpackError`. Each function loads its module when it is first called, so that whoever needs one does not wait for all.
 */
import { lazily, lazilyEach } from './kernel/lazily.ts';

// Making a Solution
export const init = lazily(async () => (await import('./flows/init/index.ts')).init);
export const listImages = lazily(async () => (await import('./flows/pack/index.ts')).listImages);
export const pack = lazily(async () => (await import('./flows/pack/index.ts')).pack);
export const check = lazily(async () => (await import('./flows/pack/check.ts')).check);
export const renderSolution = lazily(async () => (await import('./flows/render/index.ts')).renderSolution);
export const renderedText = lazily(async () => (await import('./flows/render/text.ts')).renderedText);
export const diff = lazily(async () => (await import('./flows/diff/index.ts')).diff);

// Looking into archives
export const inspect = lazily(async () => (await import('./flows/inspect/index.ts')).inspect);
export const inspectRights = lazily(async () => (await import('./flows/rights/index.ts')).inspectRights);
export const readPredicates = lazily(async () => (await import('./flows/inspect/attestations.ts')).readPredicates);
export const list = lazilyEach(async () => (await import('./flows/browse/index.ts')).list);
export const extract = lazily(async () => (await import('./flows/browse/index.ts')).extract);
export const exportImages = lazily(async () => (await import('./flows/export/index.ts')).exportImages);
export const mountArchive = lazily(async () => (await import('./flows/mount/index.ts')).mountArchive);
export const unmountArchive = lazily(async () => (await import('./flows/mount/index.ts')).unmountArchive);

// Trust
export const verify = lazily(async () => (await import('./flows/verify/index.ts')).verify);
export const keygen = lazily(async () => (await import('./flows/sign/index.ts')).keygen);
export const signArchive = lazily(async () => (await import('./flows/sign/index.ts')).signArchive);
export const signInRegistry = lazily(async () => (await import('./flows/sign/index.ts')).signInRegistry);
export const unsignArchive = lazily(async () => (await import('./flows/sign/index.ts')).unsignArchive);
export const loadPublicKey = lazily(async () => (await import('./parts/trust/index.ts')).loadPublicKey);
export const loadPrivateKey = lazily(async () => (await import('./parts/trust/index.ts')).loadPrivateKey);
export const trustInKeys = lazily(async () => (await import('./parts/trust/index.ts')).trustInKeys);
export const trustInFingerprints = lazily(async () => (await import('./parts/trust/index.ts')).trustInFingerprints);
export const trustInNobody = lazily(async () => (await import('./parts/trust/index.ts')).trustInNobody);
export const loadPolicy = lazily(async () => (await import('./parts/trust/index.ts')).loadPolicy);
export const acceptPolicy = lazily(async () => (await import('./parts/trust/index.ts')).acceptPolicy);
export const signDocument = lazily(async () => (await import('./parts/trust/index.ts')).signDocument);
export const readMemory = lazily(async () => (await import('./parts/trust/index.ts')).readMemory);
export const showMemory = lazily(async () => (await import('./parts/trust/index.ts')).showMemory);
export const mendMemory = lazily(async () => (await import('./parts/trust/index.ts')).mendMemory);

// Where archives and images are
export const archiveNamed = lazily(async () => (await import('./shared/solutions/media/index.ts')).archiveNamed);
export const archivesNamed = lazily(async () => (await import('./shared/solutions/media/index.ts')).archivesNamed);
export const referenceNamed = lazily(
  async () => (await import('./shared/solutions/media/reference.ts')).referenceNamed,
);
export const solutionReference = lazily(async () => (await import('./parts/registries/index.ts')).solutionReference);
export const openRegistries = lazily(async () => (await import('./parts/registries/index.ts')).openRegistries);
export const openReference = lazily(async () => (await import('./parts/registries/index.ts')).openReference);
export const listReferenceTags = lazily(async () => (await import('./parts/registries/index.ts')).listReferenceTags);
export const readLocations = lazily(async () => (await import('./parts/registries/index.ts')).readLocations);
export const certificatesFrom = lazily(async () => (await import('./parts/registries/index.ts')).certificatesFrom);
export const credentialsFromFiles = lazily(
  async () => (await import('./parts/registries/index.ts')).credentialsFromFiles,
);
export const credentialHelpers = lazily(async () => (await import('./parts/registries/index.ts')).credentialHelpers);

// Moving archives and images
export const push = lazily(async () => (await import('./flows/push/index.ts')).push);
export const pull = lazily(async () => (await import('./flows/pull/index.ts')).pull);
export const serve = lazily(async () => (await import('./flows/serve/index.ts')).serve);
export const servedImages = lazily(async () => (await import('./flows/serve/index.ts')).servedImages);
export const mirrorTexts = lazily(async () => (await import('./flows/serve/index.ts')).mirrorTexts);
export const joinMirror = lazily(async () => (await import('./flows/join-mirror/index.ts')).joinMirror);
export const leaveMirror = lazily(async () => (await import('./flows/join-mirror/index.ts')).leaveMirror);
export const nodeMirrors = lazily(async () => (await import('./flows/join-mirror/node-mirrors.ts')).nodeMirrors);
export const writeMirrors = lazily(async () => (await import('./parts/mirrors/index.ts')).writeMirrors);

// Installing
export const foreseeImport = lazily(async () => (await import('./flows/configure/index.ts')).foreseeImport);
export const importArchives = lazily(async () => (await import('./flows/configure/index.ts')).importArchives);
export const unimportArchives = lazily(async () => (await import('./flows/configure/index.ts')).unimportArchives);
export const activateSolution = lazily(async () => (await import('./flows/configure/index.ts')).activateSolution);
export const deactivateSolution = lazily(async () => (await import('./flows/configure/index.ts')).deactivateSolution);
export const readGrants = lazily(async () => (await import('./shared/solutions/origin/grants.ts')).readGrants);
export const configuredServers = lazily(
  async () => (await import('./shared/solutions/sets/configuration.ts')).configuredServers,
);
export const resolveSet = lazily(async () => (await import('./flows/resolve/index.ts')).resolveSet);
export const install = lazily(async () => (await import('./flows/install/index.ts')).install);
export const foreseeInstall = lazily(async () => (await import('./flows/install/index.ts')).foreseeInstall);
export const embeddedRegistry = lazily(async () => (await import('./flows/install/index.ts')).embeddedRegistry);
export const pushedToRegistry = lazily(async () => (await import('./flows/install/index.ts')).pushedToRegistry);
export const runningServe = lazily(async () => (await import('./flows/install/index.ts')).runningServe);
export const seededRegistry = lazily(async () => (await import('./flows/seed/index.ts')).seededRegistry);
export const imageFolder = lazily(async () => (await import('./parts/node-images/index.ts')).imageFolder);
export const onThisNode = lazily(async () => (await import('./flows/install/index.ts')).onThisNode);
export const alsoListed = lazily(async () => (await import('./flows/install/index.ts')).alsoListed);
export const load = lazily(async () => (await import('./flows/load/index.ts')).load);
export const foreseeLoad = lazily(async () => (await import('./flows/load/index.ts')).foreseeLoad);
export const kubernetesTarget = lazily(async () => (await import('./parts/clusters/index.ts')).kubernetesTarget);
export const directoryTarget = lazily(async () => (await import('./parts/clusters/index.ts')).directoryTarget);

// After an install
export const status = lazily(async () => (await import('./flows/status/index.ts')).status);
export const watchStatus = lazily(async () => (await import('./flows/status/index.ts')).watchStatus);
export const history = lazily(async () => (await import('./flows/history/index.ts')).history);
export const rollback = lazily(async () => (await import('./flows/rollback/index.ts')).rollback);
export const repair = lazily(async () => (await import('./flows/repair/index.ts')).repair);
export const keepRepairing = lazily(async () => (await import('./flows/repair/index.ts')).keepRepairing);
export const reportProgress = lazily(async () => (await import('./parts/clusters/index.ts')).reportProgress);
export const settleProgress = lazily(async () => (await import('./parts/clusters/index.ts')).settleProgress);
export const gatheringTarget = lazily(async () => (await import('./flows/agent/objects.ts')).gatheringTarget);
export const runAgent = lazily(async () => (await import('./flows/agent/index.ts')).runAgent);
export const agentCluster = lazily(async () => (await import('./flows/agent/index.ts')).agentCluster);
export const uninstall = lazily(async () => (await import('./flows/uninstall/index.ts')).uninstall);
export const makeSupportBundle = lazily(
  async () => (await import('./flows/support-bundle/index.ts')).makeSupportBundle,
);

// Words
export const lookAtMachine = lazily(async () => (await import('./flows/setup/index.ts')).lookAtMachine);
export const keysOnMedium = lazily(async () => (await import('./flows/setup/index.ts')).keysOnMedium);
export const chooseWay = lazily(async () => (await import('./flows/setup/index.ts')).chooseWay);
export const planSetup = lazily(async () => (await import('./flows/setup/index.ts')).planSetup);
export const carryOutSetup = lazily(async () => (await import('./flows/setup/index.ts')).carryOutSetup);
export const undoSetup = lazily(async () => (await import('./flows/setup/index.ts')).undoSetup);
export const doctor = lazily(async () => (await import('./flows/doctor/index.ts')).doctor);
export const overview = lazily(async () => (await import('./flows/overview/index.ts')).overview);
export const readProfile = lazily(async () => (await import('./flows/profile/index.ts')).readProfile);
export const setProfile = lazily(async () => (await import('./flows/profile/index.ts')).setProfile);
export const unsetProfile = lazily(async () => (await import('./flows/profile/index.ts')).unsetProfile);
export const fileSchema = lazily(async () => (await import('../formats/file-schemas/index.ts')).fileSchema);
export const explainCode = lazily(async () => (await import('./flows/explain/index.ts')).explainCode);
export const explanations = lazily(async () => (await import('./flows/explain/index.ts')).explanations);
export const knownNames = lazilyEach(async () => (await import('./flows/complete/index.ts')).knownNames);
export const meantWord = lazily(async () => (await import('./kernel/suggest.ts')).meantWord);

// Files
export const isFolder = lazily(async () => (await import('./kernel/machine/disk.ts')).isFolder);
export const isThere = lazily(async () => (await import('./kernel/machine/disk.ts')).isThere);
export const openLogFile = lazily(async () => (await import('./kernel/files/log-file.ts')).openLogFile);

// Helpers
export { fileFormats } from '../formats/document/schema-line.ts';
export { exactJson } from '../formats/exact-json.ts';
export { isProfileKey, profileFields } from '../formats/profile/fields.ts';
export { sizeWords } from '../formats/size-words.ts';
export { removalWords } from '../formats/solution/removal-words.ts';
export { manifestParts, manifestsOf } from './flows/agent/manifests/index.ts';
export { SERVE, STORE } from './flows/setup/choose.ts';
export { isAllReady, overallState } from './flows/status/overall-state.ts';
export { findings } from './kernel/content/model.ts';
export { duration } from './kernel/durations.ts';
export { errorInfo, exits, redact, SolpackError } from './kernel/events/errors.ts';
export { lend } from './kernel/events/flow.ts';
export { pathFolders } from './kernel/events/host.ts';
export { codeOf, reasonOf, unwritable } from './kernel/events/system-errors.ts';
export { readFile } from './kernel/files/open-file.ts';
export { certificatesIn } from './kernel/http/authorities.ts';
export { proxiesOf } from './kernel/http/proxy.ts';
export { ownRun } from './kernel/machine/runs.ts';
export { findingWords } from './shared/rendering/closure/findings.ts';

export type * from './types.ts';
