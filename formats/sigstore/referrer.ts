import { sha256 } from '../digest.ts';
import { type Descriptor, mediaTypes } from '../oci/descriptor.ts';
import { encodeManifest } from '../oci/manifest.ts';
import { bundleMediaType } from './bundle.ts';

/** On a signature: the number of the slot that it has in its archive, so that an archive can be made of it once more. */
const slotAnnotation = 'io.solpack.signature.slot';

/** On a signed statement: the name of the attestation, for the same. */
const nameAnnotation = 'io.solpack.attestation.name';

/** Annotations by which cosign finds and tells apart what bundles hold. */
const cosignAnnotations = {
  content: 'dev.sigstore.bundle.content',
  predicateType: 'dev.sigstore.bundle.predicateType',
} as const;

/** Content with its exact bytes. */
export interface ReferrerContent {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/** What artifacts without a config name for one (image-spec "Guidance for an Empty Descriptor"). */
export const emptyConfig: ReferrerContent = content(mediaTypes.empty, Buffer.from('{}'));

/**
 * A signature as registries keep it: a manifest whose subject is what was signed, and what that manifest names, which is the
 * empty config and the bundle (image-spec "Guidelines for Artifact Usage"). Equal bundles of equal slots make equal manifests.
 * `slot` is undefined where an archive would have none left for it.
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
 * The manifest of a signed statement as registries keep it: its subject is what the statement is about. `bundle` is the
 * descriptor of the bundle, whose bytes need not be at hand.
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

/** The name of the attestation that a referrer is the signed statement of; undefined where it says none. */
export function attestationNameOf(annotations: Readonly<Record<string, string>>): string | undefined {
  return annotations[nameAnnotation];
}

/** Whether a referrer says that its bundle holds a statement, and no signature of its subject itself. */
export function isStatement(annotations: Readonly<Record<string, string>> | undefined): boolean {
  return annotations?.[cosignAnnotations.content] === 'dsse-envelope';
}

/** The number of the slot that a signature's manifest says it had; undefined where it says none. */
export function slotOf(annotations: Readonly<Record<string, string>>): number | undefined {
  const value = annotations[slotAnnotation];
  return value !== undefined && /^(?:0|[1-9][0-9]?)$/.test(value) ? Number(value) : undefined;
}

function content(mediaType: string, bytes: Uint8Array): ReferrerContent {
  return { descriptor: { mediaType, digest: sha256(bytes), size: bytes.length }, bytes };
}
