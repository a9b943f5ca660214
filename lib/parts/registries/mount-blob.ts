import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { memoryBody } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';
import { type Session, sessionOf } from './upload-session.ts';

/**
 * Asks for a blob of the repository `from` of the same registry (distribution-spec "Mounting a blob from another
 * repository"). True where it is there now; an upload where the registry opened one instead; undefined where it did
 * neither, for whatever reason: the blob can be sent all the same.
 */
export async function mount(
  client: Client,
  { digest }: Descriptor,
  from: string,
  signal?: AbortSignal,
): Promise<true | Session | undefined> {
  const call: Call = {
    method: 'POST',
    to: `blobs/uploads/?mount=${encodeURIComponent(digest)}&from=${encodeURIComponent(from)}`,
    actions: 'pull,push',
    reads: from,
    body: memoryBody(new Uint8Array()),
    signal,
  };
  try {
    const answer = await client.send(call);
    answer.discard();
    if (answer.status === 201) return true;
    return answer.status === 202 ? await sessionOf(client, call, answer) : undefined;
  } catch (error) {
    if (error instanceof SolpackError) return undefined;
    throw error;
  }
}
