import { sizePair, sizeWords } from '../../../formats/size-words.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { type Catalog, type OpenedCarrier, planArchive } from '../../parts/archives/index.ts';
import { type Comparison, compareSegments } from './compare.ts';
import { compareContent } from './content.ts';
import { findRemade } from './foreign-layout.ts';
import { readListing } from './listing.ts';
import { compareTree } from './tree.ts';

/**
 * Compares every byte of a carrier with what `catalog` makes of it. What another program wrote anew has no such bytes:
 * that is one finding, and then its contents are checked. Blobs that are hashed `later` are left out. `slots` are its
 * signature slots.
 */
export async function compareCarrier(
  opened: OpenedCarrier,
  catalog: Catalog,
  slots: readonly Uint8Array[],
  how: Pick<Comparison, 'later' | 'crew' | 'early' | 'onBytes'>,
  flow: Flow,
): Promise<Finding[]> {
  const { file, carrier, tree } = opened;
  const { signatures, findings: unlike } = await readListing(opened, catalog, carrier, slots);
  const planned = planArchive(catalog, carrier, signatures);
  const { files, layout } = planned;
  const remade = await findRemade(opened, planned);
  if (remade) return [remade, ...(await compareContent(opened, catalog, slots, how, flow))];
  const sizes = compareSize(file.size, layout.size);
  const comparison = { ...how, file, files, exempt: carrier.exempt, signal: flow.signal };
  const pieces: Finding[] = [];
  for await (const finding of compareSegments(layout.segments, comparison)) pieces.push(finding);
  // Where every byte is as it was planned, its directories list what was planned: they are read to say what differs.
  const isSame = sizes.length === 0 && pieces.length === 0;
  return [...unlike, ...(isSame ? [] : await compareTree(tree, files)), ...sizes, ...pieces];
}

function compareSize(found: number, planned: number): Finding[] {
  if (found < planned) {
    const [has, wanted] = sizePair(found, planned);
    return [{ code: 'truncated', subject: 'archive', message: `has ${has} instead of ${wanted}; copy it again` }];
  }
  if (found === planned) return [];
  const message = `${sizeWords(found - planned)} follow its end at ${sizeWords(planned)}`;
  return [{ code: 'trailing-data', subject: 'archive', message }];
}
