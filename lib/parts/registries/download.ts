import type { Bytes } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { sizePair } from '../../../formats/size-words.ts';
import type { OpenOptions } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { type Answer, CutError, parseContentRange } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';

/** What the client reads of manifests, for `Accept`. */
export const manifestTypes: string = [
  mediaTypes.index,
  mediaTypes.manifest,
  mediaTypes.dockerList,
  mediaTypes.dockerManifest,
].join(', ');

/** Returns the path of content in a repository (distribution-spec "Pull"). */
export function pathOf({ mediaType, digest }: Descriptor): string {
  return `${isManifestType(mediaType) ? 'manifests' : 'blobs'}/${digest}`;
}

/** How many bytes count as progress: at a byte an attempt, a download would never end. */
const PROGRESS = 16 * 1024;

/**
 * Streams a manifest or a blob from byte `from` on. A connection that breaks, or ends too early, is taken up where it
 * broke (RFC 9110, 14.2), if what is there is still the same; what follows on from another copy of the content is
 * caught by its digest, which the caller checks.
 */
export async function* download(
  client: Client,
  descriptor: Descriptor,
  { offset = 0, into, signal }: OpenOptions = {},
): Bytes {
  const manifest = isManifestType(descriptor.mediaType);
  const wanted: Call = { method: 'GET', to: pathOf(descriptor), actions: 'pull', into, signal };
  let at = offset;
  let failures = 0;
  let etag: string | undefined;
  for (;;) {
    const call: Call = {
      ...wanted,
      headers: { ...(manifest ? { accept: manifestTypes } : {}), ...(at > 0 ? rangeFrom(at, etag) : {}) },
    };
    const answer = await client.send(call);
    // What cannot be taken up where it broke is read from its start again.
    const whole = answer.status === 416 && at > 0 ? await restarted(client, wanted, answer) : answer;
    let skip = await startOf(client, call, whole, descriptor, at);
    etag = whole.headers.etag;
    const start = at;
    try {
      for await (const chunk of whole.read()) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        at += fresh.length;
        yield fresh;
      }
      if (manifest || at >= descriptor.size) return;
      throw new CutError();
    } catch (error) {
      failures = at - start < PROGRESS ? failures + 1 : 1;
      // All is there, and only the end of the connection was rough.
      if (at === descriptor.size) return;
      const again = await client.recover(error, failures, signal);
      if (!again && error instanceof CutError) return;
      if (!again) await client.reading(call, () => Promise.reject(error));
    }
  }
}

/** Returns headers that ask for the rest of the same content (RFC 9110, 13.1.5: a weak ETag does not do). */
function rangeFrom(at: number, etag: string | undefined): Record<string, string> {
  return { range: `bytes=${at}-`, ...(etag?.startsWith('"') ? { 'if-range': etag } : {}) };
}

function restarted(client: Client, wanted: Call, refusal: Answer): Promise<Answer> {
  refusal.discard();
  return client.send(wanted);
}

/**
 * Returns how many bytes of the answer are known already; throws where it is not the content from `at` on, or from its
 * start.
 */
async function startOf(
  client: Client,
  call: Call,
  answer: Answer,
  descriptor: Descriptor,
  at: number,
): Promise<number> {
  const { status, headers } = answer;
  if (status === 206 && at > 0) {
    const range = parseContentRange(headers['content-range']);
    if (range?.first === at && (range.size ?? descriptor.size) === descriptor.size) return 0;
    answer.discard();
    throw new SolpackError(
      'registry-error',
      client.name,
      `bytes from ${at} on of ${descriptor.digest} were asked for, but others came`,
      {
        hint: 'check the proxy in front of the registry',
      },
    );
  }
  if (status !== 200) throw await client.failure(call, answer);
  // Registries may state another length for manifests than they send; blobs they store as they are.
  const length = headers['content-length'];
  if (call.headers?.['accept'] === undefined && length !== undefined && Number(length) !== descriptor.size) {
    answer.discard();
    const [wanted, has] = sizePair(descriptor.size, Number(length));
    throw new FormatError('size-mismatch', `${descriptor.digest} should have ${wanted}, but has ${has}`);
  }
  return at;
}
