import { FormatError } from '../../formats/error.ts';
import { hintIn } from '../../formats/sigstore/dsse-bundle.ts';
import { keyIdOfHint } from '../../formats/sigstore/hint.ts';
import {
  type Archive,
  type CatalogAttestation,
  isAttestationSlotBlank,
  type OpenedFiles,
  readAttestationHead,
  readAttestationSlot,
  writeAttestationSlot,
} from '../archives/index.ts';
import { refused } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { judgeStatement, type Signer, signStatementBy } from '../trust/index.ts';
import { readStatement } from './statement.ts';

/**
 * Signs the attestations of an archive that nobody has signed yet, each in its slot; what does not hold is signed anew.
 * Returns the names of those that were. Throws as `writeAttestationSlot` and
 * `requireStatements`, and `tool-failed`.
 */
export async function fillAttestations(archive: Archive, signer: Signer, flow: Flow): Promise<string[]> {
  const filled: string[] = [];
  for (const attestation of archive.catalog.attestations) {
    flow.signal.throwIfAborted();
    const statement = await statementIn(archive, attestation, flow);
    if (await isTaken(archive, attestation, statement, signer)) continue;
    await writeAttestationSlot(archive, attestation, await signStatementBy(statement, signer, flow));
    filled.push(attestation.name);
  }
  return filled;
}

/** Throws `verification-failed` where an archive has a predicate that no statement can be made of, or not the one it names. */
export async function requireStatements(archive: Archive, flow: Flow): Promise<void> {
  for (const attestation of archive.catalog.attestations) await statementIn(archive, attestation, flow);
}

function statementIn(archive: Archive, attestation: CatalogAttestation, flow: Flow): Promise<Uint8Array> {
  const { path, source, catalog } = archive;
  return refused(
    'verification-failed',
    path,
    () => readStatement(source, catalog, attestation, flow.signal),
    `its attestation ${attestation.name} cannot be signed; "solpack verify ${path}" lists all that is wrong`,
  );
}

/** Whether a slot has a signature of somebody else, or one of the signer's own that holds. */
async function isTaken(
  archive: Archive,
  attestation: CatalogAttestation,
  statement: Uint8Array,
  signer: Signer,
): Promise<boolean> {
  try {
    const bundle = await readAttestationSlot(archive, attestation);
    return bundle !== undefined && judgeStatement(statement, bundle, [signer.public]).kind !== 'invalid';
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** Empties the slots of attestations: all, or those that name the key of an id. Returns those that were not empty. */
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

/** Id of the key that the bundle in a slot names, which proves nothing; undefined where there is none. */
export async function claimedKey(opened: OpenedFiles, attestation: CatalogAttestation): Promise<string | undefined> {
  const hint = hintIn(await readAttestationHead(opened, attestation));
  return hint === undefined ? undefined : keyIdOfHint(hint);
}
