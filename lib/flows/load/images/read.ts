import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { type Archive, completedBy, requireComplete } from '../../../parts/archives/index.ts';
import { archivesNamed, openMedium, placeName } from '../../../shared/solutions/media/index.ts';
import type { LoadImages } from '../image-request.ts';

/**
 * Opens the archives that a request names, each once, in that order. Throws as opening does, and `usage-invalid` where
 * two of them disagree.
 */
export async function openImageArchives(
  { archives: names, media }: Pick<LoadImages, 'archives' | 'media'>,
  flow: Flow,
): Promise<Archive[]> {
  const opened: Archive[] = [];
  try {
    for (const name of names) {
      const { places } = await archivesNamed(name, media);
      if (places.length === 0)
        throw new SolpackError('file-missing', name, 'matches no archive', { hint: 'correct it' });
      for (const place of places) {
        flow.onEvent({ type: 'step', step: 'open', subject: placeName(place) });
        const archive = await openMedium(place, flow);
        const known = opened.some(({ catalog }) => catalog.root.digest === archive.catalog.root.digest);
        if (known) await archive[Symbol.asyncDispose]();
        else opened.push(archive);
      }
    }
    requireAgreeing(opened);
    for (const one of opened) requireComplete(one, opened);
    return opened.map((one) => completedBy(one, opened, flow));
  } catch (error) {
    await closeArchives(opened);
    throw error;
  }
}

/** Closes archives. */
export async function closeArchives(archives: readonly Archive[]): Promise<void> {
  await Promise.all(archives.map((archive) => archive[Symbol.asyncDispose]()));
}

/** A name that stands for two images in two archives says nothing about which one is meant. */
function requireAgreeing(archives: readonly Archive[]): void {
  const known = new Map<string, { digest: string; path: string }>();
  for (const { path, catalog } of archives) {
    for (const { reference, descriptor } of catalog.images) {
      const before = known.get(reference) ?? { digest: descriptor.digest, path };
      known.set(reference, before);
      if (before.digest === descriptor.digest) continue;
      throw new SolpackError('usage-invalid', path, `holds another image as ${reference} than ${before.path}`, {
        hint: 'give one of them',
      });
    }
  }
}
