import type { Digest } from '../../../formats/digest.ts';
import { isSbomType, predicateTypes } from '../../../formats/in-toto/predicate.ts';
import { statementSize } from '../../../formats/in-toto/statement.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import { statementSlotSize } from '../../../formats/sigstore/dsse-bundle.ts';
import type { Definition } from '../../../formats/solution/definition.ts';
import { solutionAnnotations, solutionTypes } from '../../../formats/solution/metadata.ts';
import { trimmed } from '../../../formats/trim.ts';
import { predicatePath } from '../../parts/archives/index.ts';

/** An attestation of the Solution, or of an image of it. */
export interface ResolvedAttestation {
  readonly predicateType: string;
  readonly about: About | undefined;
  /** Digest of the predicate, which is part of the content. */
  readonly digest: Digest;
  readonly size: number;
}

/** The image that an attestation is about. */
export interface About {
  readonly reference: string;
  /** Digest of its manifest, or of the manifest of one of its platforms. */
  readonly digest: Digest;
  /** `os/architecture[/variant]`, where the attestation is about that platform alone. */
  readonly platform: string | undefined;
}

/** An attestation with its name. */
export interface NamedAttestation extends ResolvedAttestation {
  readonly name: string;
}

/** Gives each attestation a unique name that says what it is. */
export function nameAttestations(attestations: readonly ResolvedAttestation[]): NamedAttestation[] {
  const taken = new Set<string>();
  return attestations.map((attestation) => {
    const base = nameOf(attestation);
    const ending = isSbomType(attestation.predicateType) ? endingOf(attestation.predicateType) : '';
    let name = `${base}${ending}`;
    for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}${ending}`;
    taken.add(name);
    return { ...attestation, name };
  });
}

/** Most characters of a name that come from a reference, and from a platform. */
const MOST = { reference: 60, platform: 24 } as const;

function nameOf({ predicateType, about }: ResolvedAttestation): string {
  const what = isSbomType(predicateType) ? 'sbom' : 'provenance';
  if (!about) return what;
  const { repository, tag } = parseReference(about.reference);
  const image = plain([repository, tag].filter(Boolean).join('-')).slice(-MOST.reference);
  return [what, image, plain(about.platform ?? '').slice(0, MOST.platform)].filter(Boolean).join('-');
}

function plain(text: string): string {
  return trimmed(text.toLowerCase().replace(/[^a-z0-9.]+/g, '-'), '-');
}

function endingOf(type: string): string {
  return type.startsWith(predicateTypes.cyclonedx) ? '.cdx' : '.spdx';
}

/** Returns the layer of the solution artifact that holds a predicate and describes it. */
export function predicateLayer(attestation: NamedAttestation, { name, version }: Definition): Descriptor {
  const { predicateType, about, digest, size } = attestation;
  // The root does not exist yet, but its digest will have the length of any other.
  const subject = about
    ? { name: about.reference, digest: about.digest }
    : { name: `${name}:${version}`, digest: ROOT };
  return {
    mediaType: solutionTypes.predicate,
    digest,
    size,
    annotations: {
      [annotations.title]: predicatePath(attestation.name),
      [solutionAnnotations.predicateType]: predicateType,
      ...(about ? { [solutionAnnotations.attested]: about.digest } : {}),
      [solutionAnnotations.attestationSlot]: String(statementSlotSize(statementSize(subject, predicateType, size))),
    },
  };
}

const ROOT: Digest = `sha256:${'0'.repeat(64)}`;
