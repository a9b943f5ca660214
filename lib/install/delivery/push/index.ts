import type { Archive } from '../../../archives/index.ts';
import type { Flow } from '../../../flow.ts';
import { pool } from '../../../flow.ts';
import { openRegistries, type RegistryOptions, targetFor } from '../../../registries/index.ts';
import { contentsOf, contentsSize } from './contents.ts';
import { type ImageToPush, imagesToPush } from './images-to-push.ts';
import { type Found, lookUp } from './look-up.ts';
import { type BoundsOf, requireMovable } from './moved-tags.ts';
import type { Pushed } from './pushed.ts';
import { sendAll, tagAll } from './send.ts';

/** How many images a registry is asked for at once. */
const ASKED = 8;

/**
 * Pushes the images of archives to the registry at `url`: first all blobs, each once, and then the manifests and tags of
 * one image after the other. Of an image that the registry has already nothing is read. Image names keep their repository,
 * below the path of `url`. Tags that stand for something else are told, and moved unless `bounds` of an archive say that
 * they stay: then nothing is pushed. Throws `image-conflict`, `not-trusted`, `content-mismatch`, and what the registry answers.
 */
export async function pushImages(
  archives: readonly Archive[],
  url: string,
  options: RegistryOptions,
  flow: Flow,
  bounds: BoundsOf = () => undefined,
): Promise<Pushed> {
  const images = imagesToPush(archives, (reference) => targetFor(url, reference));
  const contents = images.flatMap(({ image }) => contentsOf(image));
  const total = contentsSize(contents);
  let done = 0;
  const onBytes = (more: number): void => {
    done += more;
    flow.onEvent({ type: 'progress', step: 'load', done, total });
  };
  // Together, so that what images share is sent once, and mounted wherever else it belongs.
  const registries = openRegistries(options);
  try {
    const found = new Map<ImageToPush, Found>();
    const asking = { limit: ASKED, signal: flow.signal };
    await pool(images, asking, async (one, signal) => {
      found.set(one, await lookUp(registries.open(one.target), one, signal));
    });
    const movedTags = requireMovable(found, bounds, flow);
    const there = images.filter((one) => found.get(one)!.isWhole);
    await pool(there, asking, async (one, signal) => {
      await tagAll(registries.open(one.target), found.get(one)!.untagged, signal);
      onBytes(contentsSize(contentsOf(one.image)));
    });
    const lacking = images.filter((one) => !found.get(one)!.isWhole);
    const { moved, movedBytes } = await sendAll(lacking, { registries, onBytes }, flow);
    return { moved, movedBytes, present: contents.length - moved, movedTags };
  } finally {
    registries.close();
  }
}
