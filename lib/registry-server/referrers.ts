import { collect } from '../../formats/bytes.ts';
import type { Digest } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import { type Descriptor, isManifestType, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex, MANIFEST_LIMIT, parseManifest } from '../../formats/oci/manifest.ts';
import type { ArchivedRepository } from './archived-repositories.ts';
import type { Held } from './content.ts';
import type { Integrity } from './integrity.ts';
import { referrerEntry } from './referrer-entry.ts';
import { type Exchange, reply } from './reply.ts';

type BySubject = ReadonlyMap<Digest, readonly Descriptor[]>;

/** Finds the manifests whose subject is the given one. */
export type FindReferrers = (repository: ArchivedRepository, subject: Digest) => Promise<readonly Descriptor[]>;

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
  const bySubject = new Map<Digest, Descriptor[]>();
  for (const held of content.values()) {
    const referrer = await readReferrer(held, integrity);
    if (!referrer) continue;
    const about = bySubject.get(referrer.subject) ?? [];
    about.push(referrer.descriptor);
    bySubject.set(referrer.subject, about);
  }
  return bySubject;
}

/**
 * Reads a manifest and returns its entry in the list of referrers (distribution-spec "Listing Referrers"); undefined
 * where it has no subject.
 */
async function readReferrer(
  held: Held,
  integrity: Integrity,
): Promise<{ subject: Digest; descriptor: Descriptor } | undefined> {
  const { mediaType, size } = held.descriptor;
  if (!isManifestType(mediaType) || size > MANIFEST_LIMIT) return undefined;
  try {
    const value = parseManifest(await collect(integrity.read(held), size), mediaType);
    if (!value.subject) return undefined;
    return { subject: value.subject.digest, descriptor: referrerEntry(held.descriptor, value) };
  } catch (error) {
    // A damaged manifest is not listed; a client that pulls it gets the error.
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Answers with the referrers, of one artifact type where that is asked for. Never answers with 404. */
export function sendReferrers(exchange: Exchange, found: readonly Descriptor[], artifactType: string | null): void {
  const manifests = found.filter((descriptor) => artifactType === null || descriptor.artifactType === artifactType);
  reply(exchange, 200, encodeIndex({ manifests }), {
    'content-type': mediaTypes.index,
    ...(artifactType === null ? {} : { 'oci-filters-applied': 'artifactType' }),
  });
}
