import { sha256 } from '../digest.ts';
import { type Descriptor, mediaTypes } from '../oci/descriptor.ts';
import { encodeManifest } from '../oci/manifest.ts';
import { bundleMediaType } from './bundle.ts';

/** On a signature: the number of the slot that it has in its archive, so that an archive can be made of it once more. */
const slotAnnotation = 'io.solpack.signature.slot';

/** Content with its exact bytes. */
export interface ReferrerContent {
  readonly descriptor: Descriptor;
  readonly bytes: Uint8Array;
}

/**
 * A signature as registries keep it: a manifest whose subject is what was signed, and what that manifest names, which is the
 * empty config and the bundle (image-spec "Guidelines for Artifact Usage"). Equal bundles of equal slots make equal manifests.
 */
export function signatureReferrer(
  bundle: Uint8Array,
  subject: Descriptor,
  slot: number,
): { readonly manifest: ReferrerContent; readonly blobs: readonly ReferrerContent[] } {
  const config = content(mediaTypes.empty, Buffer.from('{}'));
  const layer = content(bundleMediaType, bundle);
  const { mediaType, digest, size } = subject;
  const bytes = encodeManifest({
    artifactType: bundleMediaType,
    config: config.descriptor,
    layers: [layer.descriptor],
    subject: { mediaType, digest, size },
    annotations: { [slotAnnotation]: String(slot) },
  });
  return { manifest: content(mediaTypes.manifest, bytes), blobs: [config, layer] };
}

/** The number of the slot that a signature's manifest says it had; undefined where it says none. */
export function slotOf(annotations: Readonly<Record<string, string>>): number | undefined {
  const value = annotations[slotAnnotation];
  return value !== undefined && /^(?:0|[1-9][0-9]?)$/.test(value) ? Number(value) : undefined;
}

function content(mediaType: string, bytes: Uint8Array): ReferrerContent {
  return { descriptor: { mediaType, digest: sha256(bytes), size: bytes.length }, bytes };
}
