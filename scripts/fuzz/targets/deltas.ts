import { signedArchives } from '../archives.ts';
import { canvasFeed } from '../canvas-feed.ts';
import type { Target } from '../target.ts';
import { verifyArchive } from '../verify.ts';

/** `verify`, with a signed delta in each format, which lacks its layers. */
export const deltas: Target = {
  name: 'deltas',
  weight: 10,
  load: async () =>
    canvasFeed(
      (await signedArchives(true)).map((archive) => ({
        sample: archive.sample,
        tries: [(bytes) => verifyArchive(archive, bytes)],
      })),
    ),
};
