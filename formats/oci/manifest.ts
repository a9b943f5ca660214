import { FormatError } from '../error.ts';
import { decodeUniqueJson, encodeJson, type PartCount } from '../json.ts';
import { listOf, textsByName, z } from '../schema.ts';
import { sizeWords } from '../size-words.ts';
import { type Descriptor, descriptorSchema, isIndexType, mediaTypeSchema, mediaTypes } from './descriptor.ts';

/**
 * The largest manifest that is read, in bytes. Registries may have the same limit (distribution-spec "Pushing
 * Manifests").
 */
export const MANIFEST_LIMIT: number = 4 * 1024 * 1024;

/** An image manifest, OCI or Docker schema 2 (image-spec "Image Manifest"). */
export interface Manifest {
  readonly kind: 'manifest';
  readonly mediaType: string;
  readonly artifactType?: string | undefined;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly subject?: Descriptor | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** An image index, or a Docker manifest list (image-spec "Image Index"). */
export interface Index {
  readonly kind: 'index';
  readonly mediaType: string;
  readonly artifactType?: string | undefined;
  readonly manifests: readonly Descriptor[];
  readonly subject?: Descriptor | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

const document = z.object({
  schemaVersion: z.number(),
  mediaType: mediaTypeSchema.optional(),
  artifactType: mediaTypeSchema.optional(),
  config: descriptorSchema.optional(),
  layers: listOf(descriptorSchema).optional(),
  manifests: listOf(descriptorSchema).optional(),
  subject: descriptorSchema.optional(),
  annotations: textsByName.optional(),
});

/**
 * Parses a manifest or an index. `mediaType` is that of its descriptor or of the Content-Type, for documents that state
 * none. `counted` is what `countParts` returned for `bytes`, where that was called before. A document that is both or
 * neither is refused: readers would disagree about it. Throws `FormatError` `schema1-manifest`, `manifest-too-large` or
 * `manifest-invalid`.
 */
export function parseManifest(bytes: Uint8Array, mediaType?: string, counted?: PartCount): Manifest | Index {
  if (bytes.length > MANIFEST_LIMIT) {
    throw new FormatError('manifest-too-large', `a manifest of ${sizeWords(bytes.length)}`);
  }
  const value = decodeUniqueJson(bytes, document, 'manifest-invalid', 'manifest', counted);
  if (value.schemaVersion === 1) {
    throw new FormatError('schema1-manifest', 'a Docker schema 1 manifest has no content digests to rely on');
  }
  if (value.schemaVersion !== 2) {
    throw new FormatError(
      'manifest-invalid',
      `a manifest of schemaVersion ${value.schemaVersion}, but only 2 is supported`,
    );
  }
  const said = value.mediaType ?? mediaType;
  if (value.mediaType !== undefined && mediaType !== undefined && value.mediaType !== mediaType) {
    throw new FormatError(
      'manifest-invalid',
      `a manifest that says it is ${value.mediaType}, but was named ${mediaType}`,
    );
  }
  const hasManifest = value.config !== undefined || value.layers !== undefined;
  if (hasManifest === (value.manifests !== undefined)) {
    throw new FormatError('manifest-invalid', 'neither clearly a manifest nor clearly an index');
  }
  const common = {
    ...(value.artifactType === undefined ? {} : { artifactType: value.artifactType }),
    ...(value.subject === undefined ? {} : { subject: value.subject }),
    annotations: value.annotations ?? {},
  };
  if (value.manifests) {
    requireKind(said, true);
    return { kind: 'index', mediaType: said ?? mediaTypes.index, manifests: value.manifests, ...common };
  }
  requireKind(said, false);
  if (!value.config || !value.layers) throw new FormatError('manifest-invalid', 'a manifest without config or layers');
  const { config, layers } = value;
  return { kind: 'manifest', mediaType: said ?? mediaTypes.manifest, config, layers, ...common };
}

function requireKind(mediaType: string | undefined, index: boolean): void {
  if (mediaType === undefined) return;
  const known = index
    ? isIndexType(mediaType)
    : mediaType === mediaTypes.manifest || mediaType === mediaTypes.dockerManifest;
  if (!known) {
    throw new FormatError('manifest-invalid', `${mediaType} does not match the content of the document`);
  }
}

/** Returns the descriptors in a manifest or an index, in its own order. */
export function childrenOf(value: Manifest | Index): readonly Descriptor[] {
  return value.kind === 'index' ? value.manifests : [value.config, ...value.layers];
}

/** Encodes an OCI image manifest that this project makes. */
export function encodeManifest(value: {
  artifactType?: string;
  config: Descriptor;
  layers: readonly Descriptor[];
  subject?: Descriptor;
  annotations?: Readonly<Record<string, string>>;
}): Uint8Array {
  return encodeJson({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    ...(value.artifactType === undefined ? {} : { artifactType: value.artifactType }),
    config: value.config,
    layers: value.layers,
    ...(value.subject === undefined ? {} : { subject: value.subject }),
    ...(value.annotations === undefined ? {} : { annotations: value.annotations }),
  });
}

/** Encodes an OCI image index that this project makes. */
export function encodeIndex(value: {
  artifactType?: string;
  manifests: readonly Descriptor[];
  annotations?: Readonly<Record<string, string>>;
}): Uint8Array {
  return encodeJson({
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    ...(value.artifactType === undefined ? {} : { artifactType: value.artifactType }),
    manifests: value.manifests,
    ...(value.annotations === undefined ? {} : { annotations: value.annotations }),
  });
}
