import type { Digest } from '../../formats/digest.ts';
import { type Descriptor, isManifestType } from '../../formats/oci/descriptor.ts';
import { artifactTypeOf } from '../../formats/oci/referrers.ts';
import { fetchManifest } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import type { ContentSource } from '../model.ts';
import { namesOf } from './names.ts';

/** What an entry of a layout's index is about, if it is about another manifest. */
interface About {
  readonly subject: Digest;
  readonly artifactType: string | undefined;
}

/** Tells what the entry of a layout's index is about; undefined for an image. */
export type TellAbout = (entry: Descriptor, signal?: AbortSignal) => Promise<About | undefined>;

/** Reads manifests of a layout when they are first asked for, each once. */
export function createTellAbout(source: ContentSource): TellAbout {
  const known = new Map<Descriptor, About | undefined>();
  return async (entry, signal) => {
    if (!known.has(entry)) known.set(entry, await about(source, entry, signal));
    return known.get(entry);
  };
}

/** The entries whose manifests name `subject` (image-spec "Image Manifest", `subject`), of all artifact types or of one. */
export async function referrersAmong(
  entries: readonly Descriptor[],
  tell: TellAbout,
  { digest }: Descriptor,
  artifactType: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Descriptor[]> {
  const found: Descriptor[] = [];
  for (const entry of entries) {
    const told = await tell(entry, signal);
    if (told?.subject !== digest) continue;
    if (artifactType === undefined || told.artifactType === artifactType) found.push(entry);
  }
  return found;
}

async function about(
  source: ContentSource,
  entry: Descriptor,
  signal: AbortSignal | undefined,
): Promise<About | undefined> {
  if (!isManifestType(entry.mediaType)) return undefined;
  try {
    const { value } = await fetchManifest(source, entry, signal);
    return value.subject && { subject: value.subject.digest, artifactType: artifactTypeOf(value) };
  } catch (error) {
    // An image of another name that cannot be read is in nobody's way.
    if (error instanceof SolpackError && namesOf(entry).length > 0) return undefined;
    throw error;
  }
}
