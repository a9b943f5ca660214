import { type Bytes, collect } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { Client } from './client-kind.ts';
import { addToFallback } from './fallback-tag.ts';
import { sendManifest } from './send-manifest.ts';

/** Stores a manifest under its digest (distribution-spec "Pushing Manifests"). */
export async function pushManifest(
  client: Client,
  descriptor: Descriptor,
  bytes: Bytes,
  signal?: AbortSignal,
): Promise<void> {
  const whole = await collect(bytes, Math.min(descriptor.size, MANIFEST_LIMIT));
  if (whole.length !== descriptor.size) {
    throw new FormatError('size-mismatch', `${descriptor.digest} should have ${sizeWords(descriptor.size)}`);
  }
  await putManifest(client, descriptor, whole, descriptor.digest, signal);
}

/**
 * Stores the bytes of a manifest under a tag or a digest. One with a `subject` is listed among its referrers, by the
 * registry itself or, where it does not do that, under the fallback tag (distribution-spec "Pushing Manifests with
 * Subject"). Throws `registry-error` where the registry altered it.
 */
export async function putManifest(
  client: Client,
  descriptor: Descriptor,
  bytes: Uint8Array,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  const answer = await sendManifest(client, descriptor, bytes, { name, signal });
  const { subject } = parseManifest(bytes, descriptor.mediaType);
  if (subject === undefined || answer['oci-subject'] !== undefined) return;
  await addToFallback(client, subject, { descriptor, bytes }, signal);
}
