import { unitOrder } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import { type DeltaBase, type Selection, selectionLimits } from '../../../../formats/solution/selection.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import { type Catalog, sparableContents, withSelection } from '../../../parts/archives/index.ts';

/** Bytes of a content up to which its own entry in the selection takes nearly as many. */
const SMALL = 512;

/**
 * Leaves out of an archive what one of `bases` has, in whatever order they are given: the largest contents, if they are
 * more than a selection may name. What is small stays. The catalog stays as it is where nothing is left to leave out.
 * Throws `usage-invalid` for too many bases.
 */
export function withoutBases(catalog: Catalog, bases: readonly Catalog[]): Catalog {
  const { selection: _, ...whole } = catalog;
  const selection = selectionOf(whole, bases);
  return selection ? withSelection(whole, selection) : whole;
}

function selectionOf(catalog: Catalog, given: readonly Catalog[]): Selection | undefined {
  const bases = [...new Map(given.map((base) => [base.root.digest, base])).values()];
  if (bases.length > selectionLimits.bases) {
    throw new SolpackError(
      'usage-invalid',
      catalog.metadata.name,
      `${bases.length} older archives are too many for a delta`,
      {
        hint: `name at most ${selectionLimits.bases}; those before a whole archive add nothing`,
      },
    );
  }
  bases.sort((a, b) => unitOrder(a.root.digest, b.root.digest));
  const held = bases.map((base) => new Set(base.contents.map(({ digest }) => digest)));
  const left = new Map<Digest, number>();
  const largest = sparableContents(catalog)
    .filter(({ digest, size }) => size > SMALL && held.some((one) => one.has(digest)))
    .sort((a, b) => b.size - a.size || unitOrder(a.digest, b.digest));
  for (const { digest, size } of largest.slice(0, selectionLimits.absent)) left.set(digest, size);
  if (left.size === 0) return undefined;
  const used: DeltaBase[] = [];
  const absent: { digest: Digest; base: number }[] = [];
  // The fewest releases are named that have all: each time the one that has most of what is left.
  while (left.size > 0) {
    const shares = held.map((one) => sumOf(left, one));
    const most = shares.indexOf(Math.max(...shares));
    for (const digest of left.keys()) {
      if (!held[most]!.has(digest)) continue;
      absent.push({ digest, base: used.length });
      left.delete(digest);
    }
    const { metadata, root } = bases[most]!;
    used.push({ name: metadata.name, version: metadata.version, root: root.digest });
  }
  return { bases: used, absent };
}

function sumOf(sizes: ReadonlyMap<Digest, number>, held: ReadonlySet<Digest>): number {
  let sum = 0;
  for (const [digest, size] of sizes) if (held.has(digest)) sum += size;
  return sum;
}
