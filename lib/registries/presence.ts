import { type Descriptor, isManifestType } from '../../formats/oci/descriptor.ts';
import type { Call, Client } from './client.ts';
import { manifestTypes, pathOf } from './download.ts';

/** Whether the repository has the content (distribution-spec "Checking if content exists in the registry"). */
export async function has(client: Client, descriptor: Descriptor, signal?: AbortSignal): Promise<boolean> {
  const manifest = isManifestType(descriptor.mediaType);
  // Asked for with the rights of a push, so that the token that follows from it serves the push as well.
  const call: Call = {
    method: 'HEAD',
    to: pathOf(descriptor),
    actions: 'pull,push',
    headers: manifest ? { accept: manifestTypes } : {},
    signal,
  };
  const answer = await client.send(call);
  if (answer.status !== 200 && answer.status !== 404) throw await client.failure(call, answer);
  answer.discard();
  const length = answer.headers['content-length'];
  const whole = manifest || length === undefined || Number(length) === descriptor.size;
  const there = answer.status === 200 && whole;
  if (there && !manifest) note(client, descriptor);
  return there;
}

/** Remembers that the repository has a blob. */
export function note({ shared, target }: Client, { digest }: Descriptor): void {
  shared.known.add(target.registry, target.repository, digest);
}
