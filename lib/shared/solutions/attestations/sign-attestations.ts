import { FormatError } from '../../../../formats/error.ts';
import { hintIn } from '../../../../formats/sigstore/dsse-bundle.ts';
import { keyIdOfHint } from '../../../../formats/sigstore/hint.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import {
  type Archive,
  type CatalogAttestation,
  isAttestationSlotBlank,
  type OpenedFiles,
  readAttestationHead,
  readAttestationSlot,
  writeAttestationSlot,
} from '../../../parts/archives/index.ts';
import { type Signer, signStatementBy } from '../../../parts/trust/index.ts';
import { isTaken, signableStatement } from './signable-statement.ts';

/**
 * Signs the attestations of an archive that nobody has signed yet, each in its slot, and anew those whose signature by
 * the same key does not hold. Returns the names of the attestations that it signed. Throws as `writeAttestationSlot`
 * and `requireStatements`, and `tool-failed`.
 */
export async function fillAttestations(archive: Archive, signer: Signer, flow: Flow): Promise<string[]> {
  const filled: string[] = [];
  for (const attestation of archive.catalog.attestations) {
    flow.signal.throwIfAborted();
    const statement = await statementIn(archive, attestation, flow);
    if (isTaken(statement, await bundleIn(archive, attestation), signer)) continue;
    await writeAttestationSlot(archive, attestation, await signStatementBy(statement, signer, flow));
    filled.push(attestation.name);
  }
  return filled;
}

/** Checks that each predicate of an archive has its digest and makes a statement. Throws `verification-failed`. */
export async function requireStatements(archive: Archive, flow: Flow): Promise<void> {
  for (const attestation of archive.catalog.attestations) await statementIn(archive, attestation, flow);
}

function statementIn(archive: Archive, attestation: CatalogAttestation, flow: Flow): Promise<Uint8Array> {
  return signableStatement(archive.path, archive, attestation, flow);
}

/** Reads the bundle of a slot; undefined where the slot is blank or holds something else. */
async function bundleIn(archive: Archive, attestation: CatalogAttestation): Promise<Uint8Array | undefined> {
  try {
    return await readAttestationSlot(archive, attestation);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/**
 * Empties the slots of attestations: all, or those whose bundle names the key `keyId`. Returns those that were not
 * empty.
 */
export async function emptyAttestations(
  archive: Archive,
  which: { readonly keyId: string } | 'all',
): Promise<{ readonly name: string; readonly keyId: string | undefined }[]> {
  const emptied: { name: string; keyId: string | undefined }[] = [];
  for (const attestation of archive.catalog.attestations) {
    const keyId = await claimedKey(archive, attestation);
    const meant = which === 'all' ? !(await isAttestationSlotBlank(archive, attestation)) : which.keyId === keyId;
    if (!meant) continue;
    await writeAttestationSlot(archive, attestation, undefined);
    emptied.push({ name: attestation.name, keyId });
  }
  return emptied;
}

/** Reads the id of the key that the bundle in a slot names, which proves nothing; undefined where it names none. */
export async function claimedKey(opened: OpenedFiles, attestation: CatalogAttestation): Promise<string | undefined> {
  const hint = hintIn(await readAttestationHead(opened, attestation));
  return hint === undefined ? undefined : keyIdOfHint(hint);
}
