import { algorithmOf, type Digest, hexOf } from '../digest.ts';
import { FormatError } from '../error.ts';
import { decodeJson, encodeJson } from '../json.ts';
import { z } from '../schema.ts';
import { type Index, parseManifest } from './manifest.ts';

/** The paths of an image layout that are always the same (image-spec "Image Layout"). */
export const layoutPaths = { marker: 'oci-layout', index: 'index.json' } as const;

/** The content of the file `oci-layout`. */
export const layoutMarker: Uint8Array = encodeJson({ imageLayoutVersion: '1.0.0' });

/** Returns the path of a blob in an image layout. */
export function blobPath(digest: Digest): string {
  return `blobs/${algorithmOf(digest)}/${hexOf(digest)}`;
}

/** Checks the content of `oci-layout`. Throws `FormatError` `oci-layout-invalid`. */
export function parseLayoutMarker(bytes: Uint8Array): void {
  const schema = z.looseObject({ imageLayoutVersion: z.string() });
  const { imageLayoutVersion } = decodeJson(bytes, schema, 'oci-layout-invalid', layoutPaths.marker);
  if (!/^1\./.test(imageLayoutVersion)) {
    throw new FormatError('oci-layout-invalid', `image layout version ${imageLayoutVersion} is not supported`);
  }
}

/** Parses the `index.json` of a layout. */
export function parseLayoutIndex(bytes: Uint8Array): Index {
  const index = parseManifest(bytes);
  if (index.kind !== 'index') throw new FormatError('oci-layout-invalid', 'index.json is not an image index');
  return index;
}
