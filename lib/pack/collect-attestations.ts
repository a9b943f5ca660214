import type { Digest } from '../../formats/digest.ts';
import { predicateTypes } from '../../formats/in-toto/predicate.ts';
import { solutionTypes } from '../../formats/solution/metadata.ts';
import type { Flow } from '../flow.ts';
import { type NamedAttestation, nameAttestations, type ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import { provenanceOf } from './provenance.ts';
import type { Inputs } from './root.ts';
import { findSboms } from './sbom-found.ts';
import { makeSboms } from './sbom-made.ts';

/**
 * Collects all attestations of a Solution: its provenance, the SBOMs that the definition names, those that images bring
 * along, and those that are made for images without one, where the definition asks for that. `digest` is that of the
 * definition's bytes.
 */
export async function attestationsOf(
  inputs: Inputs,
  digest: Digest,
  content: Content,
  flow: Flow,
): Promise<NamedAttestation[]> {
  const provenance = content.addBytes(provenanceOf(inputs, digest), solutionTypes.predicate, 'the provenance');
  const sboms: ResolvedAttestation[] = inputs.given.map(({ attestation }) => attestation);
  for (const image of inputs.images) {
    const known = sboms.filter(({ about }) => about?.digest === image.descriptor.digest);
    // An SBOM that the author names replaces those that the image brings along.
    const brought = known.length > 0 ? [] : await findSboms(image, content, flow);
    const made =
      known.length === 0 && inputs.definition.makeSboms ? await makeSboms(image, brought, content, flow) : [];
    sboms.push(...brought, ...made);
  }
  return nameAttestations([
    { predicateType: predicateTypes.provenance, about: undefined, digest: provenance.digest, size: provenance.size },
    ...distinct(sboms),
  ]);
}

/** Leaves out repeated statements: images may share manifests, and one statement about each is enough. */
function distinct(all: readonly ResolvedAttestation[]): ResolvedAttestation[] {
  const keyOf = ({ predicateType, about, digest }: ResolvedAttestation): string =>
    `${predicateType} ${about?.digest} ${digest}`;
  const keys = all.map(keyOf);
  return all.filter((_, index) => keys.indexOf(keys[index]!) === index);
}
