import { FormatError } from '../../../formats/error.ts';
import { NEWLINE } from '../../../formats/sigstore/slot.ts';
import type { Finding } from '../../kernel/content/index.ts';
import {
  bundlesIn,
  type Carrier,
  type Catalog,
  type ListedSignature,
  listedSignatures,
  type OpenedFiles,
} from '../../parts/archives/index.ts';

/**
 * Reads what an archive in the format `carrier` lists of the signatures in its `slots`. Finds what it lists beside
 * them: a signature counts by its slot, and nobody may see another one.
 */
export async function readListing(
  opened: OpenedFiles,
  catalog: Catalog,
  carrier: Carrier,
  slots: readonly Uint8Array[],
): Promise<{ readonly signatures: readonly (ListedSignature | undefined)[]; readonly findings: readonly Finding[] }> {
  if (!carrier.listsSignatures) return { signatures: [], findings: [] };
  const signatures = await orNothing(listedSignatures(opened, catalog, slots));
  const bundles = bundlesIn(slots);
  const findings = signatures.flatMap((signature, slot): Finding[] => {
    // A slot that is missing says nothing, and what is none of a bundle is reported by whoever judges it.
    const says = bundles[slot] !== undefined || slots[slot]?.[0] === NEWLINE;
    if (!says || !signature?.listed || isSame(signature.bundle, bundles[slot])) return [];
    const message =
      'index.json lists a signature other than the one in the archive; "solpack sign" and "unsign" correct that';
    return [{ code: 'signature-invalid', subject: `slot ${slot}`, message }];
  });
  return { signatures, findings };
}

function isSame(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0;
}

async function orNothing<T>(work: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await work;
  } catch (error) {
    // Whoever compares the tree says what is wrong with it.
    if (error instanceof FormatError) return [];
    throw error;
  }
}
