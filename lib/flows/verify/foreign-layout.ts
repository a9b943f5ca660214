import { FormatError } from '../../../formats/error.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { CarrierFile, OpenedCarrier, Planned } from '../../parts/archives/index.ts';

/**
 * Tells an archive that another program wrote anew, out of the same files, from one that is damaged: more than half of
 * the files that every archive has are elsewhere than this project puts them. Undefined where they do not.
 */
export async function findRemade({ tree }: OpenedCarrier, planned: Planned): Promise<Finding | undefined> {
  const files = planned.files.filter(({ content }) => content.kind !== 'blob');
  const inPlace = await countInPlace(tree, files, planned);
  if (inPlace === undefined || inPlace * 2 >= files.length) return undefined;
  const elsewhere = `${files.length - inPlace} of ${files.length} files that every archive has are elsewhere`;
  return {
    code: 'not-canonical',
    subject: 'archive',
    message: `another program rewrote it: ${elsewhere}; its contents were checked, as with --content-only, and nothing else`,
  };
}

/**
 * Counts the files that lie where they were planned, up to half of them: that many tell enough, and most are at the
 * beginning. Undefined where the tree cannot be read.
 */
async function countInPlace(
  tree: OpenedCarrier['tree'],
  files: readonly CarrierFile[],
  { layout }: Planned,
): Promise<number | undefined> {
  /** How many of the files have a content that begins at an offset, by key and offset. */
  const found = new Map<string, Map<number, number>>();
  try {
    for (const { path, key } of files) {
      const offset = (await tree.lookup(path))?.extents[0]?.offset;
      if (offset === undefined) continue;
      const counts = found.get(key) ?? new Map<number, number>();
      found.set(key, counts.set(offset, (counts.get(offset) ?? 0) + 1));
    }
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  let inPlace = 0;
  for (const segment of layout.segments) {
    if (segment.kind !== 'data') continue;
    inPlace += found.get(segment.key)?.get(segment.offset) ?? 0;
    if (inPlace * 2 >= files.length) break;
  }
  return inPlace;
}
