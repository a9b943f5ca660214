import { parseReference } from '../../../formats/oci/reference.ts';
import type { ImageDefinition } from '../../../formats/solution/definition.ts';
import type { VersionBounds } from '../../../formats/solution/newer-version.ts';
import { isVersionTag, newerTag } from '../../../formats/solution/version-tag.ts';
import type { SourceConnections } from '../../parts/sources/index.ts';
import { narrowTags } from './narrow-tags.ts';
import { type NewerInput, type RawDefinition, staying } from './newer-input.ts';
import { retagged } from './retagged.ts';

/** Where an image stands, and what is known of it. */
export interface ImageEntry {
  /** Its number in the definition, from 0. */
  readonly number: number;
  readonly raw: RawDefinition;
  readonly bounds: VersionBounds;
  /** The components whose objects name it; undefined where that is not known. */
  readonly namedBy: readonly string[] | undefined;
  /** Whether a component is fetched, so that its author says which images it needs. */
  readonly isFetched: (component: string) => boolean;
}

/** Asks the upstream of an image for newer tags. Throws what registries answer. */
export async function newerImage(
  image: ImageDefinition,
  at: ImageEntry,
  { sources, signal }: { readonly sources: SourceConnections; readonly signal: AbortSignal },
): Promise<NewerInput> {
  const { tag, digest } = parseReference(image.reference);
  if (digest !== undefined) return staying(tag, 'is pinned by its digest');
  const { number, raw, bounds, namedBy = [], isFetched } = at;
  const [place] = image.source.startsWith('docker://') ? [image.source.slice('docker://'.length)] : [];
  // What its tag stands for now is what it is, whatever else there is.
  const same: NewerInput = { edits: [], isRenewed: true, from: tag };
  if (place === undefined) return { ...same, reason: `comes from ${image.source}, where nobody lists newer ones` };
  const follows = namedBy.filter(isFetched);
  if (follows.length > 0) return { ...same, reason: `follows component ${follows.join(', ')}` };
  if (tag === undefined || !isVersionTag(tag)) return { ...same, reason: 'has a tag that names no version' };
  const source = parseReference(place);
  if (source.digest !== undefined || source.tag !== tag) {
    return { ...same, reason: `comes from ${image.source}, which has another tag` };
  }
  const tags = await narrowTags(await sources.tags(source), tag, bounds, signal);
  const { version: to, beyond } = newerTag(tags, tag, bounds);
  if (at.namedBy === undefined || namedBy.length > 0) {
    const [newest] = [beyond, to].filter((one) => one !== undefined);
    if (newest === undefined) return same;
    const names = namedBy.length === 0 ? 'its components' : `component ${namedBy.join(', ')}`;
    return {
      ...same,
      beyond: to ?? newest,
      reason: `is named by ${names}: raise it there, and "solpack update" follows`,
    };
  }
  if (to === undefined) return { ...same, beyond };
  const written = raw.images![number]!;
  const edits = [
    { path: `images.${number}.reference`, to: retagged(written.reference, to) },
    ...(written.source === undefined ? [] : [{ path: `images.${number}.source`, to: retagged(written.source, to) }]),
  ];
  return { edits, isRenewed: true, from: tag, to, beyond };
}
