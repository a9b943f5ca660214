import { type Digest, isDigest } from '../../../formats/digest.ts';
import { type Descriptor, isManifestType } from '../../../formats/oci/descriptor.ts';
import { type Answer, parseContentRange } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';
import { manifestTypes, pathOf } from './download.ts';
import { hostOf } from './repository-target.ts';
import { refusedTag, resolve } from './resolve.ts';

/** Statuses of a HEAD request that a server, or a proxy before it, takes for no question. */
const NO_HEAD: readonly number[] = [405, 501];

/** Registries that do not answer HEAD, so that each of them is asked in vain once. */
const headless = new WeakSet<Client>();

/** Returns whether the repository has the content (distribution-spec "Checking if content exists in the registry"). */
export async function has(client: Client, descriptor: Descriptor, signal?: AbortSignal): Promise<boolean> {
  const manifest = isManifestType(descriptor.mediaType);
  const { call, answer } = await ask(client, pathOf(descriptor), manifest, signal);
  if (!isFound(answer) && answer.status !== 404) throw await client.failure(call, answer);
  answer.discard();
  const length = sizeOf(answer);
  const there = isFound(answer) && (manifest || length === undefined || length === descriptor.size);
  if (there && !manifest) note(client, descriptor);
  return there;
}

/**
 * Returns the digest that a tag of the repository stands for; undefined where there is no such tag, or where the
 * registry refuses to tell: who may not push there learns that from what is pushed before the tag.
 */
export async function tagged(client: Client, tag: string, signal?: AbortSignal): Promise<Digest | undefined> {
  const { call, answer } = await ask(client, `manifests/${tag}`, true, signal);
  const isAbsent = answer.status === 404 || refusedTag.includes(answer.status);
  if (!isFound(answer) && !isAbsent) throw await client.failure(call, answer);
  answer.discard();
  if (isAbsent) return undefined;
  const digest = answer.headers['docker-content-digest'];
  if (isDigest(digest)) return digest;
  return (await resolve(client, tag, signal))?.digest;
}

/** Asks by HEAD, and by GET where that is refused as such. Of a blob, GET asks for one byte. */
async function ask(
  client: Client,
  to: string,
  manifest: boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly call: Call; readonly answer: Answer }> {
  // Asked for with the rights of a push, so that the token that follows from it serves the push as well.
  const wanted = { to, actions: 'pull,push', signal } as const;
  const accept = manifest ? { accept: manifestTypes } : undefined;
  if (!headless.has(client)) {
    const call: Call = { ...wanted, method: 'HEAD', headers: { ...accept } };
    const answer = await client.send(call);
    if (!refusesHead(client, answer)) return { call, answer };
    answer.discard();
    headless.add(client);
  }
  const call: Call = { ...wanted, method: 'GET', headers: accept ?? { range: 'bytes=0-0' } };
  return { call, answer: await client.send(call) };
}

/** Returns whether HEAD is what is refused. Some registries sign the links to their stores for GET alone. */
function refusesHead({ target }: Client, { status, url }: Answer): boolean {
  return (
    NO_HEAD.includes(status) ||
    (status === 403 && url.host !== new URL(`${target.scheme}://${hostOf(target.registry)}`).host)
  );
}

function isFound({ status }: Answer): boolean {
  return status === 200 || status === 206;
}

/** Returns how many bytes the whole content has; undefined where the answer does not say it. */
function sizeOf({ status, headers }: Answer): number | undefined {
  if (status === 206) return parseContentRange(headers['content-range'])?.size;
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Remembers that the repository has a blob. */
export function note({ shared, target }: Client, { digest }: Descriptor): void {
  shared.known.add(target.registry, target.repository, digest);
}
