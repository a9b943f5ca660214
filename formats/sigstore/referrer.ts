import { sha256 } from '../digest.ts';
import { type Descriptor, mediaTypes } from '../oci/descriptor.ts';
import { encodeManifest } from '../oci/manifest.ts';
import { bundleMediaType } from './bundle.ts';

/** Annotation of a signature: the number of its slot, so that an archive can be made of it again. */
const slotAnnotation = 'io.solpack.signature.slot';

/** Annotation of a signed statement: the name of its attestation, for the same purpose. */
const nameAnnotation = 'io.solpack.attestation.name';

/** Annotations by which cosign finds bundles and says what they hold. */
const cosignAnnotations = {
  content: 'dev.sigstore.bundle.content',
  predicateType: 'dev.sigstore.bundle.predicateType',
} as const;

/** Content and its descriptor. */
export interface ReferrerContent {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** The config of artifacts that have none (image-spec "Guidance for an Empty Descriptor"). */
export const emptyConfig: ReferrerContent = content(mediaTypes.empty, Buffer.from('{}'));

/**
 * Makes a signature as registries keep it: a manifest whose subject is what was signed, and the contents that it names,
 * which are the empty config and the bundle (image-spec "Guidelines for Artifact Usage"). Equal bundles of equal slots
 * make equal manifests. `slot` is undefined if an archive would have no slot left for it.
 */
export function signatureReferrer(
  bundle: Uint8Array,
  subject: Descriptor,
  slot: number | undefined,
): { readonly manifest: ReferrerContent; readonly blobs: readonly [config: ReferrerContent, bundle: ReferrerContent] } {
  const layer = content(bundleMediaType, bundle);
  const { mediaType, digest, size } = subject;
  const bytes = encodeManifest({
    artifactType: bundleMediaType,
    config: emptyConfig.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType, digest, size },
    ...(slot === undefined ? {} : { annotations: { [slotAnnotation]: String(slot) } }),
  });
  return { manifest: content(mediaTypes.manifest, bytes), blobs: [emptyConfig, layer] };
}

/**
 * Makes the manifest of a signed statement as registries keep it. Its subject is what the statement is about. `bundle`
 * is the descriptor of the bundle; its bytes are not needed.
 */
export function statementReferrer(
  bundle: Descriptor,
  subject: Descriptor,
  name: string,
  predicateType: string,
): { readonly manifest: ReferrerContent; readonly config: ReferrerContent } {
  const bytes = encodeManifest({
    artifactType: bundleMediaType,
    config: emptyConfig.descriptor,
    layers: [bundle],
    subject,
    annotations: {
      [cosignAnnotations.content]: 'dsse-envelope',
      [cosignAnnotations.predicateType]: predicateType,
      [nameAnnotation]: name,
    },
  });
  return { manifest: content(mediaTypes.manifest, bytes), config: emptyConfig };
}

/** Returns the name of the attestation whose signed statement a referrer is. Undefined if the referrer does not say. */
export function attestationNameOf(annotations: Readonly<Record<string, string>>): string | undefined {
  return annotations[nameAnnotation];
}

/**
 * Returns whether the bundle of a referrer, as its annotations say, holds a statement, not a signature of the subject
 * itself.
 */
export function isStatement(annotations: Readonly<Record<string, string>> | undefined): boolean {
  return annotations?.[cosignAnnotations.content] === 'dsse-envelope';
}

/** Returns the number of the slot that a signature had, as its manifest says. Undefined if it does not say. */
export function slotOf(annotations: Readonly<Record<string, string>>): number | undefined {
  const value = annotations[slotAnnotation];
  return value !== undefined && /^(?:0|[1-9][0-9]?)$/.test(value) ? Number(value) : undefined;
}

function content(mediaType: string, bytes: Uint8Array): ReferrerContent {
  return { descriptor: { mediaType, digest: sha256(bytes), size: bytes.length }, bytes };
}
