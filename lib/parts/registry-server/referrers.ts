import { collect } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../../formats/oci/descriptor.ts';
import {
  encodeIndex,
  type Index,
  MANIFEST_LIMIT,
  type Manifest,
  parseManifest,
} from '../../../formats/oci/manifest.ts';
import type { ArchivedRepository } from './archived-repositories.ts';
import type { HeldContent } from './content.ts';
import type { Integrity } from './integrity.ts';
import { nextPage } from './page.ts';
import { type HeldReferrer, listedTypeOf } from './referrer.ts';
import type { Exchange } from './reply.ts';
import { sendList } from './send-list.ts';
import type { SharedMemory } from './shared-memory.ts';

/** Bytes of the manifests whose annotations one page has, unless a single one is larger. */
const PAGE = 1024 * 1024;

type BySubject = ReadonlyMap<Digest, readonly HeldReferrer[]>;

/** Finds the manifests whose subject is the given one. */
export type FindReferrers = (repository: ArchivedRepository, subject: Digest) => Promise<readonly HeldReferrer[]>;

/** Returns a finder that reads all manifests of a repository when it is first asked about it. */
export function createReferrers(integrity: Integrity): FindReferrers {
  const known = new WeakMap<ArchivedRepository, Promise<BySubject>>();
  return async (repository, subject) => {
    const pending = known.get(repository) ?? readSubjects(repository, integrity);
    known.set(repository, pending);
    pending.catch(() => known.delete(repository));
    return (await pending).get(subject) ?? [];
  };
}

async function readSubjects({ content }: ArchivedRepository, integrity: Integrity): Promise<BySubject> {
  const bySubject = new Map<Digest, HeldReferrer[]>();
  for (const held of content.values()) {
    const { mediaType, size } = held.descriptor;
    if (!isManifestType(mediaType) || size > MANIFEST_LIMIT) continue;
    const value = await readSound(held, integrity);
    if (!value?.subject) continue;
    const about = bySubject.get(value.subject.digest) ?? [];
    about.push({ held, artifactType: listedTypeOf(value) });
    bySubject.set(value.subject.digest, about);
  }
  return bySubject;
}

/** Reads a manifest; undefined where it is damaged: it is not listed, and a client that pulls it gets the error. */
async function readSound(held: HeldContent, integrity: Integrity): Promise<Manifest | Index | undefined> {
  const { mediaType, size } = held.descriptor;
  try {
    return parseManifest(await collect(integrity.read(held), size), mediaType);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** What a list of referrers is read by, and sent from. */
export interface ReferrersMeans {
  readonly integrity: Integrity;
  readonly memory: SharedMemory;
}

/** The list of referrers that a client asks for. */
export interface ReferrersRequest {
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Answers with the referrers, of one artifact type where that is asked for, by pages in the order of their digests
 * (distribution-spec "Listing Referrers"). Never answers with 404. Throws `Refusal` 503 where there is no memory for
 * long.
 */
export async function sendReferrers(
  exchange: Exchange,
  { integrity, memory }: ReferrersMeans,
  { path, query }: ReferrersRequest,
  found: readonly HeldReferrer[],
): Promise<void> {
  const artifactType = query.get('artifactType');
  const last = query.get('last');
  const following = found
    .filter((one) => (artifactType === null || one.artifactType === artifactType) && (last ?? '') < digestOf(one))
    .sort((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1));
  const { page, size } = firstOf(following);
  const end = page.length < following.length ? page.at(-1) : undefined;
  await sendList(exchange, memory, {
    // The bytes of a manifest, what is parsed of them, and the entries that are made of that.
    cost: 3 * size,
    headers: {
      'content-type': mediaTypes.index,
      ...(artifactType === null ? {} : { 'oci-filters-applied': 'artifactType' }),
      ...(end ? { link: nextPage(path, query, digestOf(end)) } : {}),
    },
    make: async () => {
      const manifests: Descriptor[] = [];
      for (const one of page) manifests.push(...(await entryOf(one, integrity)));
      return encodeIndex({ manifests });
    },
  });
}

const digestOf = ({ held }: HeldReferrer): Digest => held.descriptor.digest;

/** The referrers of a page, which is one at least, and the bytes of their manifests. */
function firstOf(referrers: readonly HeldReferrer[]): {
  readonly page: readonly HeldReferrer[];
  readonly size: number;
} {
  let size = 0;
  for (const [at, { held }] of referrers.entries()) {
    if (at > 0 && size + held.descriptor.size > PAGE) return { page: referrers.slice(0, at), size };
    size += held.descriptor.size;
  }
  return { page: referrers, size };
}

/** The entry of a referrer; none where its manifest is damaged. */
async function entryOf({ held, artifactType }: HeldReferrer, integrity: Integrity): Promise<Descriptor[]> {
  const value = await readSound(held, integrity);
  if (!value) return [];
  const { mediaType, digest, size } = held.descriptor;
  return [{ mediaType, digest, size, ...(artifactType ? { artifactType } : {}), annotations: value.annotations }];
}
