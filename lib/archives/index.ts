import { SolpackError } from '../errors.ts';
import type { Place } from '../place.ts';
import type { Carrier, CarrierKind } from './carrier.ts';
import { iso } from './iso.ts';
import { type Archive, type OpenedCarrier, openCarrier, openSolution } from './open.ts';
import { tar } from './tar.ts';

export { type AbsentChild, absentOf } from './absent-children.ts';
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
export { archivePaths, carrierFiles, sumsDigests } from './files.ts';
export { openFolder } from './folder.ts';
export { bundlesIn, isAsKnown, type ListedSignature } from './listing.ts';
export { listedSignatures } from './listing-read.ts';
export {
  type Archive,
  carrierSource,
  damaged,
  entryBytes,
  entryReader,
  type OpenedCarrier,
  type OpenedFiles,
  readRoot,
  readSlots,
} from './open.ts';
export { requireSafePaths } from './paths.ts';
export { type Planned, planArchive, planSigned, type SlotBundles } from './plan.ts';
export { keepPlatforms } from './platforms.ts';
export { readCatalog } from './read-catalog.ts';
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
  throw new SolpackError('usage-invalid', path, `does not say which archive format to write`, {
    hint: `let the name end in ${extensions}`,
  });
}

/** Opens an archive of a Solution, in whichever format it is. Throws as `openCarrier`. */
export function openArchive(place: Place, signal?: AbortSignal): Promise<Archive> {
  return openSolution(place, Object.values(carriers), signal);
}

/** Opens any file in a format that archives use, whatever it holds. Throws as `openCarrier`. */
export function openAnyCarrier(place: Place, signal?: AbortSignal): Promise<OpenedCarrier> {
  return openCarrier(place, Object.values(carriers), signal);
}
