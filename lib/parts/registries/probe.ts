import type { Call, Client } from './client-kind.ts';
import { hostOf } from './repository-target.ts';
import { cancelSession, openSession } from './upload-session.ts';

/** How much of the metrics of a registry is read, in bytes. */
const LIMIT = 1024 * 1024;

/** The gauge of `solpack serve --store` for the room on its disk. */
const free = /^solpack_store_free_bytes (\d{1,16})$/m;

/**
 * Makes sure that a repository can be pushed to: opens an upload, and cancels it (distribution-spec "Pushing blobs",
 * "Canceling an upload"). Distribution 2 and 3 answer 204 to that, and keep an empty folder and a hash state of it,
 * which no request can reach, until they purge uploads, by default after a week. Throws what the registry answers.
 */
export async function requireWritable(client: Client, signal?: AbortSignal): Promise<void> {
  await cancelSession(client, await openSession(client, signal), signal);
}

/** Makes sure that there is a registry (distribution-spec "Determining Support"). Throws what it answers. */
export async function requireAnswering(client: Client, signal?: AbortSignal): Promise<void> {
  const call: Call = { method: 'GET', to: placeOf(client, '/v2/'), actions: 'pull', signal };
  const answer = await client.send(call);
  if (answer.status !== 200) throw await client.failure(call, answer);
  answer.discard();
}

/** Asks for the free bytes of a registry, which a `solpack serve --store` tells; undefined where nobody does. */
export async function freeBytesOf(client: Client, signal?: AbortSignal): Promise<number | undefined> {
  const call: Call = { method: 'GET', to: placeOf(client, '/metrics'), actions: 'pull', signal };
  try {
    const answer = await client.send(call);
    if (answer.status !== 200) {
      answer.discard();
      return undefined;
    }
    const found = free.exec(new TextDecoder().decode(await answer.gather(LIMIT)))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

function placeOf({ target: { scheme, registry } }: Client, path: string): URL {
  return new URL(path, `${scheme}://${hostOf(registry)}/`);
}
