import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, isManifestType } from '../../../formats/oci/descriptor.ts';
import { artifactTypeOf } from '../../../formats/oci/referrers.ts';
import { Budget, type ContentSource, fetchManifest } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { namesOf } from './names.ts';

/** The subject of an entry of a layout's index. */
interface About {
  readonly subject: Digest;
  readonly artifactType: string | undefined;
}

/** Returns the subject of an entry of a layout's index; undefined for an image. */
export type ReadSubject = (entry: Descriptor, signal?: AbortSignal) => Promise<About | undefined>;

/** Returns a function that reads each manifest of a layout once, when it is first asked for. */
export function subjectReader(source: ContentSource): ReadSubject {
  const budget = new Budget();
  const known = new Map<string, Promise<About | undefined>>();
  return (entry, signal) => {
    const { digest, size, mediaType } = entry;
    const key = JSON.stringify([digest, size, mediaType, namesOf(entry).length > 0]);
    const reading = known.get(key) ?? about(source, entry, budget, signal);
    known.set(key, reading);
    return reading;
  };
}

/**
 * Returns the entries whose manifests name `subject` (image-spec "Image Manifest", `subject`), of one artifact type or
 * of all.
 */
export async function layoutReferrers(
  entries: readonly Descriptor[],
  subjectOf: ReadSubject,
  { digest }: Descriptor,
  artifactType: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Descriptor[]> {
  const found: Descriptor[] = [];
  for (const entry of entries) {
    const refersTo = await subjectOf(entry, signal);
    if (refersTo?.subject !== digest) continue;
    if (artifactType === undefined || refersTo.artifactType === artifactType) found.push(entry);
  }
  return found;
}

async function about(
  source: ContentSource,
  entry: Descriptor,
  budget: Budget,
  signal: AbortSignal | undefined,
): Promise<About | undefined> {
  if (!isManifestType(entry.mediaType)) return undefined;
  try {
    const { value } = await fetchManifest(source, entry, signal, budget);
    return value.subject && { subject: value.subject.digest, artifactType: artifactTypeOf(value) };
  } catch (error) {
    // An unreadable image of another name is no reason to fail.
    if (error instanceof SolpackError && namesOf(entry).length > 0) return undefined;
    throw error;
  }
}
