import type { Digest } from '../../../formats/digest.ts';
import { predicateTypes } from '../../../formats/in-toto/predicate.ts';
import { solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { type NamedAttestation, nameAttestations, type ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import { provenanceOf } from './provenance.ts';
import type { Inputs } from './root.ts';
import { findSboms } from './sbom-found.ts';
import { makeSboms, type WantedSbom, wantedSboms } from './sbom-made.ts';

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
  const sboms: (ResolvedAttestation | WantedSbom)[] = inputs.given.map(({ attestation }) => attestation);
  const { makeSboms: formats } = inputs.definition;
  for (const image of inputs.images) {
    // An SBOM that the author names replaces those that the image brings along.
    if (sboms.some((sbom) => subjectOf(sbom) === image.descriptor.digest)) continue;
    const brought = await findSboms(image, content, flow);
    sboms.push(...brought, ...(formats.length > 0 ? wantedSboms(image, brought, content) : []));
  }
  const made = await makeSboms(sboms.filter(isWanted), formats, content, flow);
  const all = sboms.flatMap((sbom) => (isWanted(sbom) ? made.get(sbom)! : [sbom]));
  return nameAttestations([
    { predicateType: predicateTypes.provenance, about: undefined, digest: provenance.digest, size: provenance.size },
    ...distinct(all),
  ]);
}

function isWanted(sbom: ResolvedAttestation | WantedSbom): sbom is WantedSbom {
  return 'layers' in sbom;
}

function subjectOf(sbom: ResolvedAttestation | WantedSbom): Digest | undefined {
  return isWanted(sbom) ? sbom.digest : sbom.about?.digest;
}

/** Leaves out repeated statements: images may share manifests, and one statement about each is enough. */
function distinct(all: readonly ResolvedAttestation[]): ResolvedAttestation[] {
  const keyOf = ({ predicateType, about, digest }: ResolvedAttestation): string =>
    `${predicateType} ${about?.digest} ${digest}`;
  const keys = all.map(keyOf);
  return all.filter((_, index) => keys.indexOf(keys[index]!) === index);
}
