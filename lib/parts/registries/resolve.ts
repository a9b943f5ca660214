import { createHash } from 'node:crypto';
import { algorithmOf, type Digest, isDigest, sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { MANIFEST_LIMIT, parseManifest } from '../../../formats/oci/manifest.ts';
import { isTag, parseReference } from '../../../formats/oci/reference.ts';
import { isAttachedTag } from '../../../formats/oci/referrers.ts';
import { fromFormat, SolpackError } from '../../kernel/events/index.ts';
import type { Answer } from '../../kernel/http/index.ts';
import type { Call, Client } from './client-kind.ts';
import { manifestTypes } from './download.ts';

/** What some registries answer instead of 404 about a tag that they do not have: Artifactory is one. */
export const refusedTag: readonly number[] = [400, 401, 403];

/**
 * Returns what `name` is in `repository`: the tag or digest itself, or the one of a full reference whose repository
 * this is, or ends with. Undefined for references to other repositories. Throws `usage-invalid`.
 */
export function nameIn(repository: string, name: string): string | undefined {
  if (isTag(name) || isDigest(name)) return name;
  try {
    const reference = parseReference(name);
    const same = repository === reference.repository || repository.endsWith(`/${reference.repository}`);
    return same ? (reference.digest ?? reference.tag ?? 'latest') : undefined;
  } catch (error) {
    throw fromFormat('usage-invalid', name, error, 'write a tag, a digest or a whole reference');
  }
}

/**
 * Asks what a tag or a digest stands for, by HEAD, and by GET where the answer to HEAD does not say it
 * (distribution-spec "Checking if content exists in the registry"). Undefined where the registry has no such manifest,
 * or refuses to report a tag that is only guessed. Throws `image-unsupported` for Docker schema 1, `content-mismatch`
 * where header and body differ.
 */
export async function resolve(client: Client, name: string, signal?: AbortSignal): Promise<Descriptor | undefined> {
  const call: Call = {
    method: 'HEAD',
    to: `manifests/${name}`,
    actions: 'pull',
    headers: { accept: manifestTypes },
    signal,
  };
  const head = await client.send(call);
  head.discard();
  if (head.status === 404 || (isAttachedTag(name) && refusedTag.includes(head.status))) return undefined;
  if (head.status === 401 || head.status === 403) throw await client.failure(call, head);
  const described = head.status === 200 ? fromHead(head) : undefined;
  if (described && (!isDigest(name) || described.digest === name)) return supported(client, name, described);
  const get: Call = { ...call, method: 'GET' };
  const answer = await client.send(get);
  if (answer.status === 404 || (isAttachedTag(name) && refusedTag.includes(answer.status))) {
    answer.discard();
    return undefined;
  }
  if (answer.status !== 200) throw await client.failure(get, answer);
  return fromBody(client, get, answer, name);
}

function fromHead({ headers }: Answer): Descriptor | undefined {
  const digest = headers['docker-content-digest'];
  const size = Number(headers['content-length']);
  const mediaType = typeOf(headers['content-type']);
  if (!isDigest(digest) || !Number.isSafeInteger(size) || size <= 0 || mediaType === undefined) return undefined;
  return isManifestType(mediaType) || isSchema1(mediaType) ? { mediaType, digest, size } : undefined;
}

async function fromBody(client: Client, call: Call, answer: Answer, name: string): Promise<Descriptor> {
  const type = typeOf(answer.headers['content-type']);
  if (type !== undefined && isSchema1(type)) answer.discard();
  supported(client, name, { mediaType: type ?? '' });
  try {
    const bytes = await client.reading(call, () => answer.gather(MANIFEST_LIMIT));
    const { mediaType } = parseManifest(bytes, type !== undefined && isManifestType(type) ? type : undefined);
    return { mediaType, digest: digestOf(client, bytes, answer, name), size: bytes.length };
  } catch (error) {
    const large = error instanceof FormatError && error.code === 'size-mismatch';
    const cause = large ? new FormatError('manifest-too-large', `a manifest of ${error.message}`) : error;
    throw fromFormat('image-unsupported', `${client.name}:${name}`, cause, 'check what the name points to');
  }
}

/**
 * Returns the digest under which `bytes` are known: the one asked for, otherwise the one of the header, otherwise
 * SHA-256.
 */
function digestOf(client: Client, bytes: Uint8Array, answer: Answer, name: string): Digest {
  const header = answer.headers['docker-content-digest'];
  const expected = isDigest(name) ? name : isDigest(header) ? header : undefined;
  if (expected === undefined) return sha256(bytes);
  const algorithm = algorithmOf(expected);
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
  if (found === expected) return expected;
  throw new SolpackError('content-mismatch', expected, `${client.name} names it, but sends the bytes of ${found}`, {
    hint: 'the registry, or a proxy in front of it, is damaged',
  });
}

function supported<T extends { readonly mediaType: string }>(client: Client, name: string, value: T): T {
  if (!isSchema1(value.mediaType)) return value;
  throw new SolpackError(
    'image-unsupported',
    `${client.name}:${name}`,
    'a Docker schema 1 manifest, which has no content digests',
    {
      hint: 'republish the image in OCI or Docker schema 2 form',
    },
  );
}

function isSchema1(mediaType: string): boolean {
  return mediaType === mediaTypes.dockerSchema1 || mediaType === mediaTypes.dockerSchema1Signed;
}

/** Returns a Content-Type without its parameters, in lower case. */
function typeOf(value: string | undefined): string | undefined {
  const type = value?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}
