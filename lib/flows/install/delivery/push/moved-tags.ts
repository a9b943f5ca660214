import type { Bounds } from '../../../../../formats/trust/bounds.ts';
import type { Flow } from '../../../../kernel/events/index.ts';
import type { Archive } from '../../../../parts/archives/index.ts';
import { breachOfTag } from '../../../../parts/trust/index.ts';
import { untrusted } from '../../../../shared/solutions/trusted/index.ts';
import type { ImageToPush } from './images-to-push.ts';
import type { MovedTag } from './pushed.ts';

/** Returns how far an archive may go; undefined where nothing limits it. */
export type BoundsOf = (archive: Archive) => Bounds | undefined;

/**
 * Lists the tags that will be moved, each once, and reports each. Throws `not-trusted` with all that may not be moved.
 */
export function requireMovable(
  found: ReadonlyMap<ImageToPush, { readonly moves: readonly MovedTag[] }>,
  bounds: BoundsOf,
  flow: Flow,
): MovedTag[] {
  const all = [...found].flatMap(([{ archive }, { moves }]) => moves.map((move) => ({ archive, ...move })));
  const kept = all.filter(({ archive }) => bounds(archive)?.moveTags === false);
  if (kept.length > 0) {
    const paths = new Set(kept.map(({ archive }) => archive.path));
    throw untrusted(
      [...paths].join(', '),
      kept.map(({ tag, from, to }) => breachOfTag(tag, from, to)),
    );
  }
  const moves = new Map(all.map(({ tag, from, to }) => [tag, { tag, from, to }]));
  for (const { tag, from, to } of moves.values()) {
    flow.onEvent({ type: 'notice', subject: tag, message: `pointed to ${from}, and is moved to ${to}` });
  }
  return [...moves.values()];
}
