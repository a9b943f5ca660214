import type { IncomingHttpHeaders } from 'node:http';
import { algorithmOf, isDigest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { memoryBody } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';

/** What was to be replaced no longer exists. */
export class ReplacedError extends Error {}

/** How a manifest is put. */
export interface Put {
  readonly name: string;
  /** What it may replace alone: `If-Match` or `If-None-Match` (RFC 9110, 13.1). */
  readonly condition?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a manifest to be stored, and returns the head of the answer. Throws `registry-error` where the registry altered
 * it, and `ReplacedError` where the condition does not hold.
 */
export async function sendManifest(
  client: Client,
  descriptor: Descriptor,
  bytes: Uint8Array,
  put: Put,
): Promise<IncomingHttpHeaders> {
  const call: Call = {
    method: 'PUT',
    to: `manifests/${put.name}`,
    actions: 'pull,push',
    headers: { 'content-type': descriptor.mediaType, ...put.condition },
    body: memoryBody(bytes),
    algorithm: Buffer.from(bytes).includes('"sha512:') ? 'sha512' : undefined,
    signal: put.signal,
  };
  const answer = await client.send(call);
  if (answer.status === 412 && put.condition) {
    answer.discard();
    throw new ReplacedError();
  }
  if (answer.status < 200 || answer.status > 204) throw await client.failure(call, answer);
  answer.discard();
  const stored = answer.headers['docker-content-digest'];
  // Some registries know SHA-256 alone, and name what they stored by it.
  const comparable = isDigest(stored) && algorithmOf(stored) === algorithmOf(descriptor.digest);
  if (!comparable || stored === descriptor.digest) return answer.headers;
  throw new SolpackError('registry-error', client.name, `${descriptor.digest} was stored, but as ${stored}`, {
    hint: 'this registry changes manifests; use another one',
  });
}
