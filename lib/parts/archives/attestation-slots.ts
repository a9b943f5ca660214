import type { ReadAt } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { emptySlot, fillSlot, NEWLINE, readSlot } from '../../../formats/sigstore/slot.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { attestationSlotPath } from './attestations.ts';
import type { CatalogAttestation } from './catalog.ts';
import { type Archive, entryReader, type OpenedFiles } from './open.ts';
import { DISK_SECTOR, openSectors, replaceBehindHead } from './sectors.ts';
import { changedMeanwhile, requireUnchanged } from './unchanged.ts';

/**
 * Reads the bundle in the slot of an attestation; undefined where there is none yet. A slot that begins with a newline
 * is empty, whatever is behind: its head is written last, so somebody was interrupted. Throws `FormatError`
 * `bundle-invalid`, `truncated`.
 */
export async function readAttestationSlot(
  opened: OpenedFiles,
  attestation: CatalogAttestation,
): Promise<Uint8Array | undefined> {
  const reader = await attestationSlotReader(opened, attestation);
  const [first] = reader ? await reader.read(0, 1) : [];
  return !reader || first === NEWLINE ? undefined : readSlot(await reader.read(0, reader.size));
}

/** Gives random access to the slot of an attestation; undefined where there is none of its size. */
export async function attestationSlotReader(
  { file, tree }: OpenedFiles,
  attestation: CatalogAttestation,
): Promise<ReadAt | undefined> {
  const entry = await tree.lookup(attestationSlotPath(attestation));
  // Its absence, and another size, are for those to say who look at the directory.
  return entry?.type === 'file' && entry.size === attestation.slotSize ? entryReader(file, entry) : undefined;
}

/**
 * Reads the first bytes of the slot of an attestation, enough to tell whose key its bundle names; none where it is
 * empty.
 */
export async function readAttestationHead(opened: OpenedFiles, attestation: CatalogAttestation): Promise<Uint8Array> {
  const head = await (await attestationSlotReader(opened, attestation))?.read(0, DISK_SECTOR);
  return !head || head[0] === NEWLINE ? new Uint8Array() : head;
}

/** Returns whether every byte of a slot is what an empty one has. */
export async function isAttestationSlotBlank(archive: Archive, attestation: CatalogAttestation): Promise<boolean> {
  const reader = await attestationSlotReader(archive, attestation);
  return !reader || Buffer.from(await reader.read(0, reader.size)).equals(emptySlot(reader.size));
}

/**
 * Puts `bundle` into the slot of an attestation, or empties it where there is none; in place: no other byte changes. An
 * interruption leaves the slot as it was, or empty, or as it is to be. Throws `archive-invalid` where the file is no
 * longer the one that was read, `output-unwritable`, `disk-full`.
 */
export async function writeAttestationSlot(
  archive: Archive,
  attestation: CatalogAttestation,
  bundle: Uint8Array | undefined,
): Promise<void> {
  const { path } = archive;
  const entry = await archive.tree.lookup(attestationSlotPath(attestation));
  const [extent] = entry?.extents ?? [];
  if (!extent || extent.size !== attestation.slotSize) {
    throw new SolpackError('archive-invalid', path, `has no slot for the attestation ${attestation.name}`, {
      hint: 'fetch it again',
    });
  }
  const blank = emptySlot(extent.size);
  let after = blank;
  try {
    if (bundle) after = fillSlot(bundle, extent.size);
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause;
    throw new SolpackError('archive-invalid', path, cause.message, { hint: 'pack it anew', cause });
  }
  const head = await archive.file.read(extent.offset, DISK_SECTOR);
  const file = await openSectors(path);
  try {
    await requireUnchanged(archive, file);
    if (!(await replaceBehindHead(file, extent.offset, head, after, blank))) throw changedMeanwhile(path);
  } finally {
    await file.close();
  }
}
