import type { Digest } from '../../formats/digest.ts';
import { type Archive, listSlots, openArchive, type SlotState, slotStates, writeSlot } from '../archives/index.ts';
import { fillAttestations, requireStatements } from '../attest/sign-slots.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { writeFile } from '../pending-file.ts';
import { readSignatures, type Signer, signRootBy } from '../trust/index.ts';
import { verifyOpened } from '../verify/index.ts';
import { compareRoot } from '../verify/root.ts';
import { isSignedBy, requireSound } from './preconditions.ts';

export { type KeygenResult, keygen } from './keygen.ts';
export { type SignInRegistryRequest, signInRegistry } from './registry.ts';
export { type UnsignRequest, type UnsignResult, unsignArchive } from './unsign.ts';

/** What to sign, with what, and where the signature goes. Paths are absolute. */
export interface SignRequest {
  readonly archive: string;
  readonly signer: Signer;
  /** A file for the bundle; undefined is a slot of the archive. */
  readonly output: string | undefined;
  /** Whether to check every byte of the archive before. Otherwise its root, manifests and metadata are checked alone. */
  readonly verify: boolean;
}

/** What was signed. */
export interface SignResult {
  readonly root: Digest;
  readonly keyId: string;
  /** The archive's slot that has the signature, unless the bundle went to a file; in a registry, the one that it would have. */
  readonly slot: number | undefined;
  /** The manifest of the signature, where that is in a registry. */
  readonly referrer?: Digest | undefined;
  /** Whether there was a valid signature of this key before; then nothing was written. */
  readonly already: boolean;
  /** Names of the attestations that were signed as well: those that nobody had signed. */
  readonly attested: readonly string[];
}

/**
 * Signs an archive's root, in the first free slot or in a file. No byte changes but those of the slot and of what lists it. What the same key left
 * in a slot before is kept where it holds, and replaced where it does not; a damaged slot is the first that is free. Throws
 * `archive-invalid`, `archive-damaged`, `verification-failed`, `signature-slots-full`, `tool-failed`, `output-unwritable`.
 */
export async function signArchive(request: SignRequest, flow: Flow): Promise<SignResult> {
  return lend(await openArchive(request.archive, flow.signal), async (archive) => {
    const findings = request.verify
      ? (await verifyOpened(archive, archive.path, undefined, flow)).findings
      : compareRoot(archive.catalog);
    requireSound(archive.path, findings);
    if (request.output === undefined) await requireStatements(archive, flow);
    return signOpened(archive, request, flow);
  });
}

async function signOpened(archive: Archive, request: SignRequest, flow: Flow): Promise<SignResult> {
  const { root, rootBytes } = archive.catalog;
  const { signer, output } = request;
  const { keyId } = signer.public;
  const done = { root: root.digest, keyId };
  if (output !== undefined) {
    await writeFile(output, await signRootBy(rootBytes, signer, flow));
    return { ...done, slot: undefined, already: false, attested: [] };
  }
  const states = await slotStates(archive);
  const holds = states.find(({ bytes }) => isSignedBy(rootBytes, bytes, signer.public));
  const slot = holds ?? freeSlot(archive, states, keyId);
  if (holds) await listSlots(archive);
  else await writeSlot(archive, slot, await signRootBy(rootBytes, signer, flow));
  const attested = await fillAttestations(archive, signer, flow);
  return { ...done, slot: slot.number, already: holds !== undefined, attested };
}

function freeSlot({ path }: Archive, states: readonly SlotState[], keyId: string): SlotState {
  const claims = ({ bytes }: SlotState): boolean => readSignatures([bytes]).carried[0]?.keyId === keyId;
  const isOf =
    (wanted: SlotState['kind']) =>
    ({ kind }: SlotState) =>
      kind === wanted;
  const found = states.find(claims) ?? states.find(isOf('damaged')) ?? states.find(isOf('empty'));
  if (found) return found;
  throw new SolpackError('signature-slots-full', path, `all ${states.length} signature slots are taken`, {
    hint: 'write the signature to a file of its own with -o, or empty a slot with "solpack unsign"',
  });
}
