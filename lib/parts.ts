/**
 * What programs build on: keys and policies, registries, the ways of images to nodes, clusters. Flows of `solpack` take
 * what these make. They are the functions themselves, so that types stay as they are declared.
 */

// Keys and policies

export {
  acceptPolicy,
  loadPolicy,
  loadPrivateKey,
  loadPublicKey,
  mendMemory,
  readMemory,
  showMemory,
  signDocument,
  trustInFingerprints,
  trustInKeys,
  trustInNobody,
} from './parts/trust/index.ts';

// Where archives and images are

export {
  certificatesFrom,
  credentialHelpers,
  credentialsFromFiles,
  listReferenceTags,
  openReference,
  openRegistries,
  readLocations,
  solutionReference,
} from './parts/registries/index.ts';
export { archiveNamed, archivesNamed, referenceNamed } from './shared/solutions/media/index.ts';

// How images get to nodes

export { alsoListed, embeddedRegistry, onThisNode, pushedToRegistry, runningServe } from './flows/install/index.ts';
export { nodeMirrors } from './flows/join-mirror/index.ts';
export { seededRegistry } from './flows/seed/index.ts';
export { writeMirrors } from './parts/mirrors/index.ts';
export { imageFolder } from './parts/node-images/index.ts';

// Clusters

export { agentCluster, gatheringTarget, manifestParts, manifestsOf } from './flows/agent/index.ts';
export { isAllReady, overallState } from './flows/status/index.ts';
export { directoryTarget, kubernetesTarget, reportProgress, settleProgress } from './parts/clusters/index.ts';

// Texts

export { exactJson } from '../formats/exact-json.ts';
export { fileSchema } from '../formats/file-schemas/index.ts';
export { sizeWords } from '../formats/size-words.ts';
export { removalWords } from '../formats/solution/removal-words.ts';
export { explainCode, explanations } from './flows/explain/index.ts';
export { readPredicates } from './flows/inspect/index.ts';
export { renderedText } from './flows/render/index.ts';
export { mirrorTexts, servedImages } from './flows/serve/index.ts';
export { findings } from './kernel/content/index.ts';
export { duration } from './kernel/durations.ts';
export { redact } from './kernel/events/index.ts';
export { certificatesIn } from './kernel/http/index.ts';
export { findingWords } from './shared/rendering/index.ts';

export type * from './types.ts';
