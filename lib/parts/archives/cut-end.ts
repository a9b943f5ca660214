import { sizePair, sizeWords } from '../../../formats/size-words.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { Carrier } from './carrier.ts';
import type { Catalog } from './catalog.ts';
import { planArchive } from './plan.ts';

/**
 * Contents of a catalog up to which it is laid out to say how long its archive would be: laying out takes memory for
 * each.
 */
const MOST = 10_000;

/** What was opened, and where it ends by its own account, in bytes: a folder has neither format nor end. */
interface Opened {
  readonly carrier?: Carrier;
  readonly end?: number;
  readonly file: { readonly size: number };
}

/**
 * Tells in words how many bytes an archive lacks at its end; undefined where it lacks none, or is not a file. An ISO
 * 9660 image tells its size at its beginning. A tar does not: its catalog tells it, and without one the header of the
 * file that is cut tells the least.
 */
export function cutEnd({ carrier, file, end = 0 }: Opened, catalog?: Catalog): string | undefined {
  if (carrier === undefined || file.size >= end) return undefined;
  const isKnown = carrier.tellsEnd || (catalog !== undefined && catalog.contents.length <= MOST);
  if (!isKnown) return `bytes are missing at the end: at least ${sizeWords(end - file.size)}`;
  const whole = catalog === undefined || carrier.tellsEnd ? end : planArchive(catalog, carrier).layout.size;
  const [missing, all] = sizePair(whole - file.size, whole);
  return `bytes are missing at the end: ${missing} of ${all}`;
}

/** The hint of the error about an archive that is cut off. */
const HINT = 'copy it again';

/** Makes the error about an archive that is cut off, as `cutEnd` says. */
export function cutOffError(path: string, words: string): SolpackError {
  return new SolpackError('archive-damaged', path, words, { hint: HINT });
}

/** Returns whether an error says already how much is missing. */
export function isCutOffError(error: unknown): boolean {
  return error instanceof SolpackError && error.code === 'archive-damaged' && error.hint === HINT;
}
