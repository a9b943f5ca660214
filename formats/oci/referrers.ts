import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { mediaTypes } from './descriptor.ts';
import type { Index, Manifest } from './manifest.ts';
import { isTag } from './reference.ts';

/** How many characters of the algorithm and of the hexadecimal part a fallback tag has. */
const FALLBACK = { algorithm: 32, encoded: 64 } as const;

/**
 * Returns the tag under which registries without the referrers API keep the index of what refers to `subject`
 * (distribution-spec "Referrers Tag Schema").
 */
export function fallbackTag(subject: Digest): string {
  return `${algorithmOf(subject).slice(0, FALLBACK.algorithm)}-${hexOf(subject).slice(0, FALLBACK.encoded)}`;
}

/** Returns the tags under which cosign keeps what it says about `subject`: signatures, attestations, SBOMs. */
export function attachedTags(subject: Digest): string[] {
  return ['sig', 'att', 'sbom']
    .map((suffix) => `${algorithmOf(subject)}-${hexOf(subject)}.${suffix}`)
    .filter((tag) => isTag(tag));
}

/**
 * Returns whether a tag is one of `attachedTags`: it is made from a digest, and nobody says that there is such a tag.
 */
export function isAttachedTag(tag: string): boolean {
  return /^sha256-[0-9a-f]{64}\.(?:sig|att|sbom)$/.test(tag);
}

/** Returns the artifact type of a manifest (image-spec "Guidelines for Artifact Usage"). Undefined for an image. */
export function artifactTypeOf(value: Manifest | Index): string | undefined {
  if (value.artifactType !== undefined || value.kind === 'index') return value.artifactType;
  const { mediaType } = value.config;
  return mediaType === mediaTypes.config || mediaType === mediaTypes.dockerConfig ? undefined : mediaType;
}
