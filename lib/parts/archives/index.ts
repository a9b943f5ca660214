import { join } from 'node:path';
import { metalk8sPaths } from '../../../formats/metalk8s/names.ts';
import { type HeldPlace, holdPlace, isHeld, type Place } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { stampOf } from '../../kernel/files/index.ts';
import { isFolder } from '../../kernel/machine/index.ts';
import type { Carrier, CarrierKind } from './carrier.ts';
import { archivePaths } from './files.ts';
import { openFolder } from './folder.ts';
import { iso } from './iso.ts';
import { type Archive, type OpenedCarrier, type OpenedFiles, openCarrier } from './open.ts';
import { openSolution } from './open-solution.ts';
import { tar } from './tar.ts';

export { type AbsentChild, absentOf } from './absent-children.ts';
export {
  absentDigests,
  type DeltaSummary,
  deltaSummary,
  presentContents,
  sparableContents,
} from './absent-contents.ts';
export type { ArchiveWriter } from './archive-writer.ts';
export {
  attestationSlotReader,
  isAttestationSlotBlank,
  readAttestationHead,
  readAttestationSlot,
  writeAttestationSlot,
} from './attestation-slots.ts';
export { predicatePath } from './attestations.ts';
export type { Carrier, CarrierKind } from './carrier.ts';
export type { CarrierFile, KnownContent } from './carrier-file.ts';
export type { Catalog, CatalogAttestation, CatalogImage, CatalogReferrer } from './catalog.ts';
export { baseWords, completedBy, incompleteError, type Making, requireComplete } from './complete.ts';
export {
  /** An image manifest, and the platforms that it is for: one, or several where an index lists it for these. */
  type PlacedManifest,
  /** Lists the image manifests of a closure with their platforms. */
  placedManifests,
  /** Reads the platform that the config of an image names; undefined where it names none. */
  platformIn,
  /** Reads a config whole, and checked. */
  readConfig,
  /** Whether a config is one of an image, which names its platform. */
  tellsPlatform,
} from './config.ts';
export { cutEnd } from './cut-end.ts';
export { archivePaths, carrierFiles, sumsDigests } from './files.ts';
export { bundlesIn, isAsKnown, type ListedSignature } from './listing.ts';
export { listedSignatures } from './listing-read.ts';
export type {
  /** What an archive was made of that solpack did not pack: a medium for MetalK8s. */
  ForeignMedium,
} from './open.ts';
export {
  type Archive,
  carrierSource,
  damaged,
  entryBytes,
  entryReader,
  type OpenedCarrier,
  type OpenedFiles,
  readSlots,
} from './open.ts';
export { openSolution, readRoot } from './open-solution.ts';
export { requireSafePaths } from './paths.ts';
export type {
  /** An archive laid out to the last byte. */
  Planned,
} from './plan.ts';
export { planArchive, planSigned, type SlotBundles } from './plan.ts';
export { keepPlatforms, platformMatcher } from './platforms.ts';
export { readCatalog } from './read-catalog.ts';
export { LayerBuilder, lackedBy, originsIn, type RecipeArchive, unpackedEncoder } from './recipes/index.ts';
export { selectedCatalog, withSelection } from './selection.ts';
export { listSlots, type SlotState, slotStates, writeSlot } from './slots.ts';
export { archiveBytes } from './stream.ts';
export { beginArchive } from './write.ts';

/** Every archive format, by kind. */
export const carriers: Readonly<Record<CarrierKind, Carrier>> = { iso, tar };

/** Returns the format that a file name asks for; throws `usage-invalid`. */
export function carrierFor(path: string): Carrier {
  const all = Object.values(carriers);
  const carrier = all.find(({ extension }) => path.toLowerCase().endsWith(extension));
  if (carrier) return carrier;
  const extensions = all.map(({ extension }) => extension).join(' or ');
  throw new SolpackError('usage-invalid', path, `does not show which archive format to write`, {
    hint: `let the name end in ${extensions}`,
  });
}

/**
 * Opens an archive of a Solution: in whichever format it is, or where it was mounted or extracted. Throws as
 * `openCarrier`.
 */
export async function openArchive(place: Place, signal?: AbortSignal): Promise<Archive> {
  return openSolution(await openAny(place, signal), signal);
}

/** Opens an archive that is a file, such as can be signed. Throws as `openCarrier`. */
export async function openArchiveFile(place: Place, signal?: AbortSignal): Promise<Archive & OpenedCarrier> {
  return openSolution(await openCarrier(place, Object.values(carriers), signal), signal);
}

/** Opens any file in a format that archives use, or a folder, whatever it holds. Throws as `openCarrier`. */
export async function openAny(place: Place, signal?: AbortSignal): Promise<OpenedFiles> {
  if (typeof place === 'string' && (await isFolder(place))) return openFolder(place);
  if (typeof place === 'object' && isHeld(place)) return openHeld(place, signal);
  return openCarrier(place, Object.values(carriers), signal);
}

async function openHeld(place: HeldPlace, signal: AbortSignal | undefined): Promise<OpenedFiles> {
  const held = await holdPlace(place);
  const release = async (): Promise<void> => held[Symbol.asyncDispose]();
  if (await isFolder(held.reached)) return openFolder(held.reached, place.path, release);
  await release();
  return openCarrier(place, Object.values(carriers), signal);
}

/** Returns whether the folder at `path` is one where an archive, or a medium for MetalK8s, was mounted or extracted. */
export async function holdsArchive(path: string): Promise<boolean> {
  return (await folderStamp(path)) !== undefined;
}

/**
 * Changes with what a folder is an archive by: its root, or what describes it to MetalK8s, which has its images beside
 * it.
 */
async function folderStamp(path: string): Promise<string | undefined> {
  const root = await stampOf(join(path, archivePaths.root));
  if (root !== undefined || !(await isFolder(join(path, metalk8sPaths.images)))) return root;
  return (await stampOf(join(path, metalk8sPaths.manifest))) ?? stampOf(join(path, metalk8sPaths.product));
}

/**
 * Changes whenever the archive at `path` does, or another takes its place, be it a file, a device or a folder;
 * undefined where there is none.
 */
export async function archiveStamp(path: string): Promise<string | undefined> {
  return (await isFolder(path)) ? folderStamp(path) : stampOf(path);
}
