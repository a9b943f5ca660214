import { type Digest, isDigest } from '../digest.ts';
import { listOf, textsByName, z } from '../schema.ts';

/** The system that a manifest is for (image-spec "Image Index", `platform`). */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
  readonly 'os.version'?: string | undefined;
  readonly 'os.features'?: readonly string[] | undefined;
}

/** Names content by type, digest and size (image-spec "Content Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  readonly artifactType?: string | undefined;
  readonly platform?: Platform | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Other places from which the content can be fetched. */
  readonly urls?: readonly string[] | undefined;
}

/** Adds up the bytes of contents. */
export function totalSize(contents: readonly { readonly size: number }[]): number {
  return contents.reduce((sum, { size }) => sum + size, 0);
}

/** A schema for a digest of an allowed algorithm. */
export const digestSchema: z.ZodType<Digest> = z.custom<Digest>(isDigest, 'has to be a sha256 or sha512 digest');

const platform = z.object({
  os: z.string(),
  architecture: z.string(),
  variant: z.string().optional(),
  'os.version': z.string().optional(),
  'os.features': listOf(z.string()).optional(),
});

/** A media type: each half has 127 characters at most (RFC 6838 section 4.2). */
export const mediaTypeSchema = z.string().max(255);

/**
 * A schema for a descriptor. Unknown properties are no error, as the specification asks of readers. They are dropped
 * here: what is carried are the bytes of the manifest itself.
 */
export const descriptorSchema: z.ZodType<Descriptor> = z.object({
  mediaType: mediaTypeSchema,
  digest: digestSchema,
  size: z.number().int().nonnegative(),
  artifactType: mediaTypeSchema.optional(),
  platform: platform.optional(),
  annotations: textsByName.optional(),
  urls: listOf(z.string()).optional(),
});

/** The media types that this project reads or writes. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  empty: 'application/vnd.oci.empty.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
  layerGzip: 'application/vnd.oci.image.layer.v1.tar+gzip',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerConfig: 'application/vnd.docker.container.image.v1+json',
  dockerSchema1: 'application/vnd.docker.distribution.manifest.v1+json',
  dockerSchema1Signed: 'application/vnd.docker.distribution.manifest.v1+prettyjws',
  helmConfig: 'application/vnd.cncf.helm.config.v1+json',
  helmChart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
} as const;

/** Annotation keys of the image specification and of containerd. */
export const annotations = {
  refName: 'org.opencontainers.image.ref.name',
  title: 'org.opencontainers.image.title',
  containerdName: 'io.containerd.image.name',
  /** BuildKit's: names the manifest that an attestation in the same index is about. */
  attested: 'vnd.docker.reference.digest',
} as const;

/**
 * The platform of what runs nowhere, as BuildKit's attestations have it. Runtimes that look for an image in an index
 * skip it.
 */
export const noPlatform: Platform = { os: 'unknown', architecture: 'unknown' };

/** Formats a platform as `os/architecture` or `os/architecture/variant`. */
export function platformName(value: Platform): string {
  return [value.os, value.architecture, value.variant].filter(Boolean).join('/');
}

const foreign =
  /^application\/vnd\.(?:docker\.image\.rootfs\.foreign\.diff\.tar|oci\.image\.layer\.nondistributable\.v1\.tar)\b/;

/**
 * Returns whether a media type is that of a foreign layer: registries do not hold it, but name other places for it
 * (`urls`).
 */
export function isForeignType(mediaType: string): boolean {
  return foreign.test(mediaType);
}

/** Returns whether a media type is that of an index or a manifest list. */
export function isIndexType(mediaType: string): boolean {
  return mediaType === mediaTypes.index || mediaType === mediaTypes.dockerList;
}

/** Returns whether a media type is that of a manifest or an index, whose bytes refer to other content. */
export function isManifestType(mediaType: string): boolean {
  return isIndexType(mediaType) || mediaType === mediaTypes.manifest || mediaType === mediaTypes.dockerManifest;
}
