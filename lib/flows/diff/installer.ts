import type { Digest } from '../../../formats/digest.ts';
import type { Renderable } from '../../shared/rendering/index.ts';

/** Differences between the programs and keys in two archives, by their paths. */
export interface InstallerChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly path: string; readonly from: Digest; readonly to: Digest }[];
}

/**
 * Compares what two Solutions bring along. A definition does not say that: whoever packs it does, so nothing is
 * different then.
 */
export function compareInstallers({ installer: from }: Renderable, { installer: to }: Renderable): InstallerChanges {
  if (from === undefined || to === undefined) return { added: [], removed: [], changed: [] };
  const [old, now] = [from, to].map((files) => new Map(files.map(({ path, digest }) => [path, digest])));
  return {
    added: to.filter(({ path }) => !old!.has(path)).map(({ path }) => path),
    removed: from.filter(({ path }) => !now!.has(path)).map(({ path }) => path),
    changed: to.flatMap(({ path, digest }) => {
      const before = old!.get(path);
      return before === undefined || before === digest ? [] : [{ path, from: before, to: digest }];
    }),
  };
}
