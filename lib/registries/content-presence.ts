import { type Digest, isDigest } from '../../formats/digest.ts';
import { type Descriptor, isManifestType } from '../../formats/oci/descriptor.ts';
import type { Answer } from '../http/answer.ts';
import type { Call, Client } from './client-kind.ts';
import { manifestTypes, pathOf } from './download.ts';
import { resolve } from './resolve.ts';

/** Tells whether the repository has the content (distribution-spec "Checking if content exists in the registry"). */
export async function has(client: Client, descriptor: Descriptor, signal?: AbortSignal): Promise<boolean> {
  const manifest = isManifestType(descriptor.mediaType);
  const answer = await ask(client, pathOf(descriptor), manifest, signal);
  const length = answer.headers['content-length'];
  const whole = manifest || length === undefined || Number(length) === descriptor.size;
  const there = answer.status === 200 && whole;
  if (there && !manifest) note(client, descriptor);
  return there;
}

/** Returns the digest that a tag of the repository stands for; undefined where there is no such tag. */
export async function tagged(client: Client, tag: string, signal?: AbortSignal): Promise<Digest | undefined> {
  const { status, headers } = await ask(client, `manifests/${tag}`, true, signal);
  const digest = headers['docker-content-digest'];
  if (status !== 200) return undefined;
  if (isDigest(digest)) return digest;
  return (await resolve(client, tag, signal))?.digest;
}

async function ask(client: Client, to: string, manifest: boolean, signal: AbortSignal | undefined): Promise<Answer> {
  // Asked for with the rights of a push, so that the token that follows from it serves the push as well.
  const call: Call = {
    method: 'HEAD',
    to,
    actions: 'pull,push',
    headers: manifest ? { accept: manifestTypes } : {},
    signal,
  };
  const answer = await client.send(call);
  if (answer.status !== 200 && answer.status !== 404) throw await client.failure(call, answer);
  answer.discard();
  return answer;
}

/** Remembers that the repository has a blob. */
export function note({ shared, target }: Client, { digest }: Descriptor): void {
  shared.known.add(target.registry, target.repository, digest);
}
