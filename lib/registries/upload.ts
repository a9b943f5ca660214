import { type Bytes, collect } from '../../formats/bytes.ts';
import { algorithmOf, isDigest } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { MANIFEST_LIMIT } from '../../formats/oci/manifest.ts';
import { SolpackError } from '../errors.ts';
import { memoryBody, streamBody } from '../http/body.ts';
import { hop } from '../http/redirect.ts';
import type { Call, Client } from './client.ts';

/**
 * Stores a blob: POST opens an upload, one PUT carries all of it (distribution-spec "POST then PUT"). A connection
 * that breaks once bytes are on their way is not repeated here, since `bytes` can be read only once.
 */
export async function pushBlob(
  client: Client,
  descriptor: Descriptor,
  bytes: Bytes,
  signal?: AbortSignal,
): Promise<void> {
  const start: Call = {
    method: 'POST',
    to: 'blobs/uploads/',
    actions: 'pull,push',
    body: memoryBody(new Uint8Array()),
    signal,
  };
  const opened = await client.send(start);
  const location = opened.headers.location;
  if (opened.status !== 202 || location === undefined) throw await client.failure(start, opened);
  opened.discard();
  const to = await client.reading(start, async () => hop(opened.url, location, 'sends an upload'));
  // Appended as text: the query belongs to the registry, and must come back as it was.
  to.search += `${to.search === '' ? '?' : '&'}digest=${encodeURIComponent(descriptor.digest)}`;
  const finish: Call = {
    method: 'PUT',
    to,
    actions: 'pull,push',
    headers: { 'content-type': 'application/octet-stream' },
    body: streamBody(bytes, descriptor.size),
    signal,
  };
  const stored = await client.send(finish);
  if (stored.status !== 201 && stored.status !== 204) throw await client.failure(finish, stored);
  stored.discard();
}

/** Stores a manifest under its digest (distribution-spec "Pushing Manifests"). */
export async function pushManifest(
  client: Client,
  descriptor: Descriptor,
  bytes: Bytes,
  signal?: AbortSignal,
): Promise<void> {
  const whole = await collect(bytes, Math.min(descriptor.size, MANIFEST_LIMIT));
  if (whole.length !== descriptor.size) {
    throw new FormatError('size-mismatch', `${descriptor.digest} should have ${descriptor.size} bytes`);
  }
  await putManifest(client, descriptor, whole, descriptor.digest, signal);
}

/** Stores the bytes of a manifest under a tag or a digest. Throws `registry-error` where the registry altered them. */
export async function putManifest(
  client: Client,
  descriptor: Descriptor,
  bytes: Uint8Array,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  const call: Call = {
    method: 'PUT',
    to: `manifests/${name}`,
    actions: 'pull,push',
    headers: { 'content-type': descriptor.mediaType },
    body: memoryBody(bytes),
    signal,
  };
  const answer = await client.send(call);
  if (answer.status < 200 || answer.status > 204) throw await client.failure(call, answer);
  answer.discard();
  const stored = answer.headers['docker-content-digest'];
  // Some registries know SHA-256 alone, and name what they stored by it.
  const comparable = isDigest(stored) && algorithmOf(stored) === algorithmOf(descriptor.digest);
  if (comparable && stored !== descriptor.digest) {
    throw new SolpackError('registry-error', client.name, `${descriptor.digest} was stored, but as ${stored}`, {
      hint: 'this registry changes manifests; use another one',
    });
  }
}
