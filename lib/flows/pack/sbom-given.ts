import { dirname } from 'node:path';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { PREDICATE_LIMIT } from '../../../formats/in-toto/predicate.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import { bytesSource } from '../../kernel/content/index.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { inside, readFile } from '../../kernel/files/index.ts';
import type { About, ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import { sbomType } from './sbom-type.ts';

/** A file with an SBOM that the definition names. */
export interface GivenSbom {
  /** Path as in the definition. */
  readonly path: string;
  readonly digest: Digest;
  readonly attestation: ResolvedAttestation;
}

/**
 * Reads the file with the SBOM of the Solution, or of the image `about`, and adds it to the content. Throws
 * `sbom-invalid`, `path-escapes`, `file-missing`.
 */
export async function readGivenSbom(
  path: string,
  definition: string,
  about: About | undefined,
  content: Content,
): Promise<GivenSbom> {
  const full = inside(dirname(definition), path);
  const bytes = await readFile(full, PREDICATE_LIMIT);
  const hint = 'name a document of CycloneDX 1.4 or later, or of SPDX 2.3 or later, in JSON';
  const predicateType = await refused('sbom-invalid', path, () => sbomType(bytes), hint);
  if (predicateType === undefined) {
    throw new SolpackError('sbom-invalid', path, 'is neither CycloneDX nor SPDX', { hint });
  }
  const digest = sha256(bytes);
  const descriptor = { mediaType: solutionTypes.predicate, digest, size: bytes.length };
  content.add(descriptor, bytesSource(full, bytes));
  return { path, digest, attestation: { predicateType, about, digest, size: bytes.length } };
}
