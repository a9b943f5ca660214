import type { Bytes } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../formats/oci/descriptor.ts';
import { SolpackError } from '../errors.ts';
import type { Answer } from '../http/transport.ts';
import type { Call, Client } from './client.ts';

/** What the client reads of manifests, for `Accept`. */
export const manifestTypes: string = [
  mediaTypes.index,
  mediaTypes.manifest,
  mediaTypes.dockerList,
  mediaTypes.dockerManifest,
].join(', ');

/** The path of content in a repository (distribution-spec "Pull"). */
export function pathOf({ mediaType, digest }: Descriptor): string {
  return `${isManifestType(mediaType) ? 'manifests' : 'blobs'}/${digest}`;
}

/**
 * Streams a manifest or a blob from byte `from` on. A connection that breaks is taken up where it broke (RFC 9110, 14.2); what follows
 * on from another copy of the content is caught by its digest, which the caller checks.
 */
export async function* download(client: Client, descriptor: Descriptor, from: number, signal?: AbortSignal): Bytes {
  const manifest = isManifestType(descriptor.mediaType);
  const wanted: Call = { method: 'GET', to: pathOf(descriptor), actions: 'pull', signal };
  let at = from;
  let failures = 0;
  for (;;) {
    const call: Call = {
      ...wanted,
      headers: { ...(manifest ? { accept: manifestTypes } : {}), ...(at > 0 ? { range: `bytes=${at}-` } : {}) },
    };
    const answer = await client.send(call);
    let skip = await startOf(client, call, answer, descriptor, at);
    try {
      for await (const chunk of answer.read()) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        at += fresh.length;
        failures = 0;
        yield fresh;
      }
      return;
    } catch (error) {
      failures += 1;
      // All is there, and only the end of the connection was rough.
      if (at === descriptor.size) return;
      const again = await client.recover(error, failures, signal);
      if (!again) await client.reading(call, () => Promise.reject(error));
    }
  }
}

/** How many bytes of the answer are known already; throws where it is not the content from `at` on, or from its start. */
async function startOf(
  client: Client,
  call: Call,
  answer: Answer,
  descriptor: Descriptor,
  at: number,
): Promise<number> {
  const { status, headers } = answer;
  if (status === 206 && at > 0) {
    if (headers['content-range']?.startsWith(`bytes ${at}-`)) return 0;
    answer.discard();
    throw new SolpackError(
      'registry-error',
      client.name,
      `bytes from ${at} on of ${descriptor.digest} were asked for, but others came`,
      {
        hint: 'check the proxy before the registry',
      },
    );
  }
  if (status !== 200) throw await client.failure(call, answer);
  // Registries may state another length for manifests than they send; blobs they store as they are.
  const length = headers['content-length'];
  if (call.headers?.['accept'] === undefined && length !== undefined && Number(length) !== descriptor.size) {
    answer.discard();
    throw new FormatError(
      'size-mismatch',
      `${descriptor.digest} should have ${descriptor.size} bytes, but has ${length}`,
    );
  }
  return at;
}
