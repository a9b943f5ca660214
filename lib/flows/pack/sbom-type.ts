import { sbomKind } from '../../../formats/cyclonedx/kind.ts';
import { predicateTypes, requirePredicate } from '../../../formats/in-toto/predicate.ts';

/**
 * Returns the predicate type of an SBOM; undefined where the bytes are none. Throws `FormatError` for what no statement
 * can hold.
 */
export function sbomType(bytes: Uint8Array): string | undefined {
  requirePredicate(bytes);
  const found = sbomKind(bytes);
  return found && predicateTypes[found.kind];
}
