/**
 * The door of the command: what it uses besides `index.ts`. It waits for no module that it does not call; what only it
 * needs is in no door of the package.
 */
import { lazily, lazilyEach } from './kernel/lazily.ts';

// What programs build on, loaded when it is called
export const renderedText = lazily(async () => (await import('./flows/render/text.ts')).renderedText);
export const readPredicates = lazily(async () => (await import('./flows/inspect/attestations.ts')).readPredicates);
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
export const servedImages = lazily(async () => (await import('./flows/serve/index.ts')).servedImages);
export const explainedFiles = lazily(async () => (await import('./flows/explain/files.ts')).explainedFiles);
export const explainText = lazily(async () => (await import('./flows/explain/files.ts')).explainText);
export const explainFile = lazily(async () => (await import('./flows/explain/files.ts')).explainFile);
export const mirrorTexts = lazily(async () => (await import('./flows/serve/index.ts')).mirrorTexts);
export const nodeMirrors = lazily(async () => (await import('./flows/join-mirror/node-mirrors.ts')).nodeMirrors);
export const embeddedRegistry = lazily(async () => (await import('./flows/install/index.ts')).embeddedRegistry);
export const pushedToRegistry = lazily(async () => (await import('./flows/install/index.ts')).pushedToRegistry);
export const runningServe = lazily(async () => (await import('./flows/install/index.ts')).runningServe);
export const seededRegistry = lazily(async () => (await import('./flows/seed/index.ts')).seededRegistry);
export const imageFolder = lazily(async () => (await import('./parts/node-images/index.ts')).imageFolder);
export const onThisNode = lazily(async () => (await import('./flows/install/index.ts')).onThisNode);
export const alsoListed = lazily(async () => (await import('./flows/install/index.ts')).alsoListed);
export const kubernetesTarget = lazily(async () => (await import('./parts/clusters/index.ts')).kubernetesTarget);
export const directoryTarget = lazily(async () => (await import('./parts/clusters/index.ts')).directoryTarget);
export const reportProgress = lazily(async () => (await import('./parts/clusters/index.ts')).reportProgress);
export const settleProgress = lazily(async () => (await import('./parts/clusters/index.ts')).settleProgress);
export const gatheringTarget = lazily(async () => (await import('./flows/agent/objects.ts')).gatheringTarget);
export const agentCluster = lazily(async () => (await import('./flows/agent/index.ts')).agentCluster);
export const approvalCluster = lazily(async () => (await import('./flows/approval/index.ts')).approvalCluster);
export const fileSchema = lazily(async () => (await import('../formats/file-schemas/index.ts')).fileSchema);
export const explainCode = lazily(async () => (await import('./flows/explain/index.ts')).explainCode);
export const explanations = lazily(async () => (await import('./flows/explain/index.ts')).explanations);

// What only the command needs
export const describeArchive = lazily(async () => (await import('./flows/describe/index.ts')).describeArchive);
export const foreseeImport = lazily(async () => (await import('./flows/configure/index.ts')).foreseeImport);
export const readGrants = lazily(async () => (await import('./shared/solutions/origin/grants.ts')).readGrants);
export const configuredServers = lazily(
  async () => (await import('./shared/solutions/sets/configuration.ts')).configuredServers,
);
export const lookAtMachine = lazily(async () => (await import('./flows/setup/index.ts')).lookAtMachine);
export const keysOnMedium = lazily(async () => (await import('./flows/setup/index.ts')).keysOnMedium);
export const chooseWay = lazily(async () => (await import('./flows/setup/index.ts')).chooseWay);
export const sharedServe = lazily(async () => (await import('./flows/setup/index.ts')).sharedServe);
export const sharedSecrets = lazily(async () => (await import('./flows/setup/index.ts')).sharedSecrets);
export const joinWords = lazily(async () => (await import('./flows/setup/index.ts')).joinWords);
export const planSetup = lazily(async () => (await import('./flows/setup/index.ts')).planSetup);
export const carryOutSetup = lazily(async () => (await import('./flows/setup/index.ts')).carryOutSetup);
export const withMediumPrograms = lazily(async () => (await import('./flows/setup/index.ts')).withMediumPrograms);
export const planUndo = lazily(async () => (await import('./flows/setup/index.ts')).planUndo);
export const undoSetup = lazily(async () => (await import('./flows/setup/index.ts')).undoSetup);
export const overview = lazily(async () => (await import('./flows/overview/index.ts')).overview);
export const readProfile = lazily(async () => (await import('./flows/profile/index.ts')).readProfile);
export const setProfile = lazily(async () => (await import('./flows/profile/index.ts')).setProfile);
export const unsetProfile = lazily(async () => (await import('./flows/profile/index.ts')).unsetProfile);
export const knownNames = lazilyEach(async () => (await import('./flows/complete/index.ts')).knownNames);
export const meantWord = lazily(async () => (await import('./kernel/suggest.ts')).meantWord);
export const isFolder = lazily(async () => (await import('./kernel/machine/disk.ts')).isFolder);
export const makeOutputFolder = lazily(async () => (await import('./kernel/files/output-folder.ts')).makeOutputFolder);
export const isThere = lazily(async () => (await import('./kernel/machine/disk.ts')).isThere);
export const writeFile = lazily(async () => (await import('./kernel/files/pending-file.ts')).writeFile);
export const openLogFile = lazily(async () => (await import('./kernel/files/log-file.ts')).openLogFile);

// Helpers
export { fileFormats } from '../formats/document/schema-line.ts';
export { exactJson } from '../formats/exact-json.ts';
export { shortKey } from '../formats/keys/short-key.ts';
export { imageWays, isProfileKey, profileFields } from '../formats/profile/fields.ts';
export { shellWord } from '../formats/shell-word.ts';
export { sizeWords } from '../formats/size-words.ts';
export { removalWords } from '../formats/solution/removal-words.ts';
export { isAsBad, severities } from '../formats/vulnerabilities/vulnerability.ts';
export { manifestParts, manifestsOf } from './flows/agent/manifests/index.ts';
export { SERVE } from './flows/setup/choose.ts';
export { isAllReady, overallState } from './flows/status/overall-state.ts';
export { duration } from './kernel/durations.ts';
export { redact } from './kernel/events/errors.ts';
export { pathFolders } from './kernel/events/host.ts';
export { codeOf, reasonOf, unwritable } from './kernel/events/system-errors.ts';
export { readFile } from './kernel/files/open-file.ts';
export { certificatesIn } from './kernel/http/authorities.ts';
export { proxiesOf } from './kernel/http/proxy.ts';
export { ownRun } from './kernel/machine/runs.ts';
