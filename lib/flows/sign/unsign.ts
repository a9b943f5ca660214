import type { Digest } from '../../../formats/digest.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import {
  type Archive,
  listSlots,
  openArchiveFile,
  type SlotState,
  slotStates,
  writeSlot,
} from '../../parts/archives/index.ts';
import { readSignatures } from '../../parts/trust/index.ts';
import { emptyAttestations } from '../../shared/solutions/attestations/index.ts';

/** Which signatures to remove from which archive. */
export interface UnsignRequest {
  /** Absolute path. */
  readonly archive: string;
  /** One slot by its number, the slots that name the key of this id, also those of attestations, or every slot. */
  readonly which: { readonly slot: number } | { readonly keyId: string } | 'all';
}

/** What was removed. */
export interface UnsignResult {
  readonly root: Digest;
  /** The slots that were emptied, with the id of the key that each named. */
  readonly emptied: readonly { readonly slot: number; readonly keyId: string | undefined }[];
  /** The attestations whose slots were emptied. */
  readonly attestations: readonly { readonly name: string; readonly keyId: string | undefined }[];
}

/**
 * Empties signature slots of an archive, in place. If all of them are empty, the archive has the bytes that `pack`
 * makes without a key. Throws `archive-invalid`, `archive-damaged`, `usage-invalid` if there is no such slot,
 * `output-unwritable`.
 */
export async function unsignArchive(request: UnsignRequest, flow: Flow): Promise<UnsignResult> {
  return lend(await openArchiveFile(request.archive, flow.signal), (archive) => unsignOpened(archive, request));
}

async function unsignOpened(archive: Archive, { which }: UnsignRequest): Promise<UnsignResult> {
  const states = await slotStates(archive);
  if (typeof which === 'object' && 'slot' in which && which.slot >= states.length) {
    throw new SolpackError('usage-invalid', '--slot', `${archive.path} has no slot ${which.slot}`, {
      hint: `its slots are 0 to ${states.length - 1}`,
    });
  }
  const emptied: { slot: number; keyId: string | undefined }[] = [];
  for (const state of states) {
    const keyId = keyIdOf(state);
    if (state.kind === 'empty' || !isMeant(which, state, keyId)) continue;
    await writeSlot(archive, state, undefined);
    emptied.push({ slot: state.number, keyId });
  }
  await listSlots(archive);
  const oneSlot = typeof which === 'object' && 'slot' in which;
  const attestations = oneSlot ? [] : await emptyAttestations(archive, which);
  return { root: archive.catalog.root.digest, emptied, attestations };
}

function isMeant(which: UnsignRequest['which'], { number }: SlotState, keyId: string | undefined): boolean {
  if (which === 'all') return true;
  return 'slot' in which ? which.slot === number : which.keyId === keyId;
}

function keyIdOf({ bytes }: SlotState): string | undefined {
  return readSignatures([bytes]).carried[0]?.keyId;
}
