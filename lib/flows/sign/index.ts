import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { requireNoInput, writeFile } from '../../kernel/files/index.ts';
import { type Archive, listSlots, type SlotState, slotStates, writeSlot } from '../../parts/archives/index.ts';
import { readSignatures, signRoot } from '../../parts/trust/index.ts';
import { fillAttestations, requireStatements } from '../../shared/solutions/attestations/index.ts';
import { openLocal } from '../../shared/solutions/media/index.ts';
import { BESIDE } from '../../shared/solutions/metalk8s/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';
import { verifyOpened } from '../verify/index.ts';
import { isSignedBy, requireFile, requireSound } from './preconditions.ts';
import type { SignRequest, SignResult } from './request.ts';

export { type KeygenResult, keygen } from './keygen.ts';
export { type SignInRegistryRequest, signInRegistry } from './registry.ts';
export type { SignRequest, SignResult } from './request.ts';
export { type UnsignRequest, type UnsignResult, unsignArchive } from './unsign.ts';

/**
 * Signs the root of an archive, in a slot or in a file. Only the bytes of the slot and of its listing change. A valid
 * signature by the same key is kept; an invalid one is replaced. Otherwise the signature goes into a damaged slot, or
 * into the first empty one. Throws `archive-invalid`, `archive-damaged`, `verification-failed`, `signature-slots-full`,
 * `tool-failed`, `output-unwritable`, `usage-invalid`.
 */
export async function signArchive(request: SignRequest, flow: Flow): Promise<SignResult> {
  if (request.output !== undefined) await requireNoInput(request.output, [request.archive]);
  return lend(await openLocal(request.archive, flow), async (archive) => {
    const findings = request.verify
      ? (await verifyOpened(archive, archive.path, undefined, flow)).findings
      : compareRoot(archive.catalog);
    requireSound(archive.path, findings);
    // A medium that solpack did not pack has no room for a signature.
    if (archive.foreign && request.output === undefined) {
      return signOpened(archive, { ...request, output: `${archive.path}${BESIDE}` }, flow);
    }
    if (request.output === undefined) {
      requireFile(archive);
      await requireStatements(archive, flow);
    }
    return signOpened(archive, request, flow);
  });
}

async function signOpened(archive: Archive, request: SignRequest, flow: Flow): Promise<SignResult> {
  const { root, rootBytes } = archive.catalog;
  const { signer, output } = request;
  const { keyId } = signer.public;
  const done = { root: root.digest, keyId };
  if (output !== undefined) {
    await writeFile(output, await signRoot(rootBytes, signer, flow));
    return { ...done, slot: undefined, already: false, attested: [], output };
  }
  const states = await slotStates(archive);
  const holds = states.find(({ bytes }) => isSignedBy(rootBytes, bytes, signer.public));
  const slot = holds ?? freeSlot(archive, states, keyId);
  if (holds) await listSlots(archive);
  else await writeSlot(archive, slot, await signRoot(rootBytes, signer, flow));
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
  throw new SolpackError('signature-slots-full', path, `all ${states.length} signature slots are used`, {
    hint: 'write the signature to a separate file with -o, or empty a slot with "solpack unsign"',
  });
}
