import { parseReference } from '../../../formats/oci/reference.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import { closeAll, openAll, readConfiguration } from '../../shared/solutions/sets/index.ts';

/**
 * Lists the registries of the images in the archives of a SolutionsConfiguration, whichever of them are active.
 * Archives that cannot be opened are noted. Throws `configuration-invalid`.
 */
export async function configuredRegistries(
  file: string,
  media: MediaContext | undefined,
  flow: Flow,
): Promise<readonly string[]> {
  const { opened, unopened } = await openAll(file, await readConfiguration(file), flow, media);
  try {
    for (const { path, error } of unopened) {
      if (!(error instanceof SolpackError)) throw error;
      flow.onEvent({ type: 'notice', subject: path, message: `is skipped: ${error.message}` });
    }
    const images = opened.flatMap(({ archive }) => archive.catalog.images);
    return images.map(({ reference }) => parseReference(reference).registry);
  } finally {
    await closeAll(opened);
  }
}
