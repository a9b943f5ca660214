import { signedArchives } from '../archives.ts';
import { canvasFeed } from '../canvas-feed.ts';
import type { Target } from '../target.ts';
import { verifyArchive } from '../verify.ts';

/** `verify`, with a signed archive in each format. */
export const verify: Target = {
  name: 'verify',
  weight: 15,
  load: async () =>
    canvasFeed(
      (await signedArchives()).map((archive) => ({
        sample: archive.sample,
        tries: [(bytes) => verifyArchive(archive, bytes)],
      })),
    ),
};
