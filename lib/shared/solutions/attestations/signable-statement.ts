import { shellWord } from '../../../../formats/shell-word.ts';
import type { ContentSource } from '../../../kernel/content/index.ts';
import { type Flow, refused } from '../../../kernel/events/index.ts';
import type { Catalog, CatalogAttestation } from '../../../parts/archives/index.ts';
import { judgeStatement, type Signer } from '../../../parts/trust/index.ts';
import { readStatement } from './statement.ts';

/**
 * Makes the statement of an attestation for signing. `subject` is the archive or the reference that the user named.
 * Throws `verification-failed` where no statement can be made of the predicate, or it is not the one that the root
 * names.
 */
export function signableStatement(
  subject: string,
  { source, catalog }: { readonly source: ContentSource; readonly catalog: Catalog },
  attestation: CatalogAttestation,
  flow: Flow,
): Promise<Uint8Array> {
  return refused(
    'verification-failed',
    subject,
    () => readStatement(source, catalog, attestation, flow.signal),
    `its attestation ${attestation.name} cannot be signed; "solpack verify ${shellWord(subject)}" lists everything that is wrong`,
  );
}

/** Returns whether `bundle` leaves nothing to sign: it is somebody else's, or the signer's own and valid. */
export function isTaken(statement: Uint8Array, bundle: Uint8Array | undefined, signer: Signer): boolean {
  return bundle !== undefined && judgeStatement(statement, bundle, [signer.public]).kind !== 'invalid';
}
