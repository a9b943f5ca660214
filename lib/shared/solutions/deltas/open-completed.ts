import type { Flow } from '../../../kernel/events/index.ts';
import { type Archive, completedBy } from '../../../parts/archives/index.ts';
import { type ArchivePlace, openMedium, openTogether } from '../media/index.ts';

/**
 * Opens an archive; what it lacks, where it is a delta, is read out of those at `bases`, as far as they have it. They
 * are closed with it. Throws as `openMedium`.
 */
export async function openCompleted(place: ArchivePlace, bases: readonly ArchivePlace[], flow: Flow): Promise<Archive> {
  const archive = await openMedium(place, flow);
  if (!archive.catalog.selection || bases.length === 0) return archive;
  try {
    const opened = await openTogether(bases, flow);
    const completed = completedBy(archive, opened.archives, flow);
    return {
      ...completed,
      [Symbol.asyncDispose]: async () => {
        try {
          await opened[Symbol.asyncDispose]();
        } finally {
          await completed[Symbol.asyncDispose]();
        }
      },
    };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw error;
  }
}
