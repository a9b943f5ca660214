import { collect } from '../../../formats/bytes.ts';
import { type Digest, hexOf, verified } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { isSbomType, PREDICATE_LIMIT } from '../../../formats/in-toto/predicate.ts';
import { parseStatement } from '../../../formats/in-toto/statement.ts';
import { annotations, type Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Manifest } from '../../../formats/oci/manifest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { solutionAnnotations, solutionTypes } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { statementWrappings } from '../../shared/solutions/attestations/index.ts';
import type { ResolvedAttestation } from './attestations.ts';
import type { Content } from './content.ts';
import type { ResolvedImage } from './images.ts';
import { sbomType } from './sbom-type.ts';

/** Media types and artifact types of plain SBOMs, as `oras attach` and `cosign attach sbom` use them. */
const plainTypes = /^(?:application\/(?:spdx|vnd\.cyclonedx)|text\/spdx)\+json(?:;|$)/;

/** A document about a manifest of an image, which may be an SBOM. */
interface Candidate {
  readonly subject: Digest;
  readonly manifest: Manifest;
  readonly digest: Digest;
}

/**
 * Finds the SBOMs that an image brings along, as referrers and as BuildKit attestations in its index: one for each
 * manifest and format. Their signatures are not checked here; these SBOMs count because the root lists them.
 */
export async function findSboms(image: ResolvedImage, content: Content, flow: Flow): Promise<ResolvedAttestation[]> {
  const found = new Map<string, ResolvedAttestation>();
  for (const candidate of candidatesOf(image)) {
    for (const layer of candidate.manifest.layers) {
      if (!mayBeSbom(layer, candidate.manifest)) continue;
      try {
        const sbom = await readSbom(layer, candidate, content, flow.signal);
        const key = sbom && `${candidate.subject} ${sbom.predicateType}`;
        if (!key || found.has(key)) continue;
        found.set(key, { ...sbom, about: aboutOf(image, candidate.subject) });
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        const message = `${candidate.digest} is not used as an SBOM of it: ${error.message}`;
        flow.onEvent({ type: 'notice', subject: image.definition.reference, message });
      }
    }
  }
  return [...found.values()];
}

function candidatesOf({ closure, referrers }: ResolvedImage): Candidate[] {
  const own = new Set(closure.manifests.map(({ descriptor }) => descriptor.digest));
  const attached = referrers.flatMap(({ subject, descriptor: { digest }, closure: inner }): Candidate[] => {
    const { value } = inner.manifests.at(-1)!;
    return value.kind === 'manifest' && own.has(subject) ? [{ subject, manifest: value, digest }] : [];
  });
  const children = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  const inIndex = closure.manifests.flatMap(({ descriptor: { digest }, value }): Candidate[] => {
    const child = children.find((entry) => entry.digest === digest);
    const subject = child?.annotations?.[annotations.attested] as Digest | undefined;
    return value.kind === 'manifest' && subject && own.has(subject) ? [{ subject, manifest: value, digest }] : [];
  });
  return [...inIndex, ...attached];
}

/** Decides whether a layer may be an SBOM. Documents that state another type are not read. */
function mayBeSbom(layer: Descriptor, manifest: Manifest): boolean {
  if (isPlain(layer, manifest)) return true;
  const { mediaType, annotations: layerAnnotations = {} } = layer;
  const { annotations: own } = manifest;
  const statedType =
    layerAnnotations[solutionAnnotations.predicateType] ??
    layerAnnotations['predicateType'] ??
    own['dev.sigstore.bundle.predicateType'];
  return statementWrappings.has(mediaType) && (statedType === undefined || isSbomType(statedType));
}

function isPlain({ mediaType }: Descriptor, { artifactType = '' }: Manifest): boolean {
  return !statementWrappings.has(mediaType) && (plainTypes.test(mediaType) || plainTypes.test(artifactType));
}

async function readSbom(
  layer: Descriptor,
  { subject, manifest }: Candidate,
  content: Content,
  signal: AbortSignal,
): Promise<Omit<ResolvedAttestation, 'about'> | undefined> {
  // An envelope holds its statement as base64.
  const plain = isPlain(layer, manifest);
  const limit = plain ? PREDICATE_LIMIT : 2 * PREDICATE_LIMIT;
  if (layer.size > limit) throw new FormatError('attestation-invalid', `it has ${sizeWords(layer.size)}`);
  const bytes = await collect(verified(content.open(layer, { signal }), layer), limit);
  if (plain) {
    const predicateType = sbomType(bytes);
    if (predicateType === undefined) throw new FormatError('attestation-invalid', 'it is neither CycloneDX nor SPDX');
    return { predicateType, digest: layer.digest, size: layer.size };
  }
  const unwrapped = statementWrappings.get(layer.mediaType)!(bytes);
  const { predicateType, predicate, subjects } = parseStatement(unwrapped);
  if (!isSbomType(predicateType)) return undefined;
  if (!subjects.includes(hexOf(subject))) throw new FormatError('attestation-invalid', `it is not about ${subject}`);
  if (sbomType(predicate) === undefined)
    throw new FormatError('attestation-invalid', 'it is neither CycloneDX nor SPDX');
  const { digest, size } = content.addBytes(predicate, solutionTypes.predicate, 'an SBOM');
  return { predicateType, digest, size };
}

function aboutOf({ definition: { reference }, closure }: ResolvedImage, digest: Digest): ResolvedAttestation['about'] {
  const children = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  const platform = children.find((child) => child.digest === digest)?.platform;
  return {
    reference,
    digest,
    platform: platform && [platform.os, platform.architecture, platform.variant].filter(Boolean).join('/'),
  };
}
