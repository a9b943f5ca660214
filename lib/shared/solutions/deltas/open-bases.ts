import type { Flow } from '../../../kernel/events/flow.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import type { ArchivePlace } from '../media/kind.ts';
import { openMedium } from '../media/open-medium.ts';

/** Archives that are open together. */
export interface OpenedBases extends AsyncDisposable {
  readonly archives: readonly Archive[];
}

/** Opens archives that may have what a delta lacks; all are closed together. Throws as `openMedium`. */
export async function openEach(places: readonly ArchivePlace[], flow: Flow): Promise<OpenedBases> {
  const archives: Archive[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(archives.map((archive) => archive[Symbol.asyncDispose]()));
  };
  try {
    for (const place of places) archives.push(await openMedium(place, flow));
    return { archives, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
