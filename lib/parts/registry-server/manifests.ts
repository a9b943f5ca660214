import { createHash } from 'node:crypto';
import { collect } from '../../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf, sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { countParts } from '../../../formats/json.ts';
import { isForeignType, isManifestType } from '../../../formats/oci/descriptor.ts';
import { childrenOf, type Index, MANIFEST_LIMIT, type Manifest, parseManifest } from '../../../formats/oci/manifest.ts';
import { isTag } from '../../../formats/oci/reference.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { adoptBlob, bodyOf } from './blobs.ts';
import { claimantOf } from './claimant.ts';
import type { HeldContent } from './content.ts';
import { requireOwnTags } from './precedence.ts';
import { type Exchange, Refusal, reply } from './reply.ts';
import { findRepository, repositoryByKey, type Shelf } from './repository.ts';
import { requireDigest, requireKey, type Target } from './request.ts';
import type { Store } from './store/index.ts';
import { requireStoreRoom } from './store-room.ts';

/** Most tags that one request may set; the specification demands ten. */
const TAGS = 100;
/**
 * Most names and values of a manifest, so that what is parsed of it takes no more memory than its bytes may: an index
 * of a thousand platforms has a tenth of that.
 */
const PARTS = 100_000;

/** Stores a manifest (distribution-spec "Pushing Manifests"). */
export async function receiveManifest(exchange: Exchange, shelf: Shelf, store: Store, target: Target): Promise<void> {
  const key = requireKey(target);
  const { reference, query } = target;
  const byDigest = reference.includes(':') ? requireDigest(reference) : undefined;
  const tags = byDigest ? query.getAll('tag') : [reference];
  if (tags.length > TAGS) throw new Refusal(414, 'UNSUPPORTED', `more than ${TAGS} tags at once`);
  for (const tag of tags) {
    if (!isTag(tag)) throw new Refusal(400, 'MANIFEST_INVALID', `${JSON.stringify(tag)} is not a tag`);
  }
  const size = announcedSize(exchange);
  const loan = shelf.memory.loan(claimantOf(exchange));
  await loan.claim(size);
  loan.waits();
  try {
    const bytes = await manifestBody(exchange);
    loan.works();
    await storeBytes(exchange, shelf, store, { ...target, tags, key, byDigest }, bytes);
  } finally {
    loan.give();
  }
}

/** Where a manifest is to go. */
interface Place extends Target {
  readonly key: string;
  readonly byDigest: Digest | undefined;
  readonly tags: readonly string[];
}

async function storeBytes(
  exchange: Exchange,
  shelf: Shelf,
  store: Store,
  place: Place,
  bytes: Uint8Array,
): Promise<void> {
  const { key, name, reference, tags, byDigest } = place;
  const digest = byDigest ?? sha256(bytes);
  if (createHash(algorithmOf(digest)).update(bytes).digest('hex') !== hexOf(digest)) {
    throw new Refusal(400, 'DIGEST_INVALID', `this manifest is not ${digest}`);
  }
  const value = parsed(bytes, exchange.request.headers['content-type']);
  requireOwnTags(shelf.repositories, key, tags, digest);
  await requireChildren(shelf, store, key, place, value);
  requireStoreRoom(store);
  const descriptor = { mediaType: value.mediaType, digest, size: bytes.length };
  await store.putManifest(key, { descriptor, bytes, value }, tags);
  reply(exchange, 201, new Uint8Array(), {
    location: `/v2/${name}/manifests/${reference}`,
    'docker-content-digest': digest,
    ...(value.subject ? { 'oci-subject': value.subject.digest } : {}),
    ...(byDigest && tags.length > 0 ? { 'oci-tag': [...tags] } : {}),
  });
}

const tooLarge = (): Refusal =>
  new Refusal(413, 'SIZE_INVALID', `manifests of more than ${sizeWords(MANIFEST_LIMIT)} are not accepted`);

/** The size that a manifest has by its head, or the most that one may have. */
function announcedSize({ request }: Exchange): number {
  const size = Number(request.headers['content-length'] ?? MANIFEST_LIMIT);
  if (size > MANIFEST_LIMIT) throw tooLarge();
  return size;
}

async function manifestBody({ request }: Exchange): Promise<Uint8Array> {
  try {
    return await collect(bodyOf(request), MANIFEST_LIMIT);
  } catch (error) {
    throw error instanceof FormatError ? tooLarge() : error;
  }
}

function parsed(bytes: Uint8Array, contentType: string | undefined): Manifest | Index {
  // Parameters of the media type are ignored (distribution-spec "Pushing Manifests").
  const mediaType = contentType?.split(';')[0]?.trim().toLowerCase();
  try {
    const counted = countParts(bytes, PARTS);
    return parseManifest(bytes, mediaType === '' || mediaType === 'application/json' ? undefined : mediaType, counted);
  } catch (error) {
    if (error instanceof FormatError && error.code === 'json-limit') {
      throw new Refusal(413, 'SIZE_INVALID', `a manifest with ${error.message} is not accepted`);
    }
    if (error instanceof FormatError) throw new Refusal(400, 'MANIFEST_INVALID', error.message);
    throw error;
  }
}

/**
 * Refuses a manifest whose blobs are missing, foreign layers aside. What only archives have is copied into the store,
 * because archives may go. The children of an index may be pushed later, or not at all where nobody needs their
 * platforms.
 */
async function requireChildren(
  shelf: Shelf,
  store: Store,
  key: string,
  target: Target,
  value: Manifest | Index,
): Promise<void> {
  const here = repositoryByKey(shelf, key);
  for (const { digest, mediaType } of childrenOf(value)) {
    const stored = store.get(key);
    if (stored?.manifests.has(digest)) continue;
    const found = findRepository(shelf, target.name, target.query.get('ns') ?? undefined);
    const held = here.content(digest) ?? (found && 'tags' in found ? found.content(digest) : undefined);
    if (held?.archive === store && stored?.blobs.has(digest)) continue;
    if (held && isManifestType(held.descriptor.mediaType)) await adoptManifest(shelf, store, key, target, held);
    else if (held) await adoptBlob(shelf, store, key, held);
    else if (value.kind === 'manifest' && !isForeignType(mediaType)) {
      throw new Refusal(404, 'MANIFEST_BLOB_UNKNOWN', `${key} has no ${digest}, which this manifest names`);
    }
  }
}

/** Copies a manifest that only archives have into the store, with all that it names. */
async function adoptManifest(
  shelf: Shelf,
  store: Store,
  key: string,
  target: Target,
  held: HeldContent,
): Promise<void> {
  const { descriptor } = held;
  const bytes = await collect(shelf.integrity.read(held), MANIFEST_LIMIT);
  const value = parseManifest(bytes, descriptor.mediaType);
  await requireChildren(shelf, store, key, target, value);
  await store.putManifest(key, { descriptor, bytes, value }, []);
}
