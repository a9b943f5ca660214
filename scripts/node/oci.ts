import { createHash } from 'node:crypto';

/** The name of content, by its SHA-256 (OCI image-spec "Digests"). */
export type Content = `sha256:${string}`;

/** A descriptor (OCI image-spec "Content Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Content;
  /** In bytes. */
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string; readonly variant?: string };
}

/** Media types of what an image is made of. */
export const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

/** Returns the digest of `bytes`. */
export function sha256(bytes: Uint8Array): Content {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Returns the descriptor of `bytes`. */
export function descriptor(mediaType: string, bytes: Uint8Array): Descriptor {
  return { mediaType, digest: sha256(bytes), size: bytes.length };
}

/** Encodes `value` as JSON without white space. */
export function encoded(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
