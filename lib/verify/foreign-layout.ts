import { FormatError } from '../../formats/error.ts';
import type { OpenedCarrier, Planned } from '../archives/index.ts';
import type { Finding } from '../model.ts';

/**
 * Tells an archive that another program wrote anew, out of the same files, from one that is damaged: more than half of
 * the files that every archive has lie elsewhere than this project puts them. Undefined where they do not.
 */
export async function findRemade({ tree }: OpenedCarrier, planned: Planned): Promise<Finding | undefined> {
  const files = planned.files.filter(({ content }) => content.kind !== 'blob');
  const places = placesOf(planned, new Set(files.map(({ key }) => key)));
  let elsewhere = 0;
  try {
    for (const { path, key } of files) {
      const offset = (await tree.lookup(path))?.extents[0]?.offset;
      if (offset === undefined || !places.get(key)?.has(offset)) elsewhere += 1;
    }
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  if (elsewhere <= files.length / 2) return undefined;
  const message = `another program wrote it anew: ${elsewhere} of ${files.length} files that every archive has lie elsewhere`;
  return {
    code: 'not-canonical',
    subject: 'archive',
    message: `${message}; its contents were checked, as with --content-only, and nothing else`,
  };
}

/** Where the contents of `keys` are to be; they lie together, before all others but one. */
function placesOf({ layout }: Planned, keys: ReadonlySet<string>): Map<string, Set<number>> {
  const places = new Map<string, Set<number>>();
  for (const segment of layout.segments) {
    if (segment.kind !== 'data') continue;
    if (keys.has(segment.key)) places.set(segment.key, (places.get(segment.key) ?? new Set()).add(segment.offset));
    else if (places.size === keys.size) break;
  }
  return places;
}
