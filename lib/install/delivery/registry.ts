import type { Digest } from '../../../formats/digest.ts';
import { type RegistryOptions, targetFor } from '../../registries/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { verifiedArchive } from '../products.ts';
import { type Delivered, type DeliveryStep, delivered, type ImageDelivery } from './delivery.ts';
import { pushedBlobs } from './push/contents.ts';
import { pushImages } from './push/index.ts';

/** Pushes images to the registry at `url`, whose path is put before their names. */
export function pushedToRegistry(url: string, options: RegistryOptions): ImageDelivery {
  return {
    steps: [pushStep(url, options)],
    targetOf: targetFor,
    hashedOnTheWay: pushedBlobs,
    endsWithInstall: false,
  };
}

/** Which registry gets the images of which archives. */
type Inputs = { readonly registry: string; readonly roots: readonly Digest[] };

function pushStep(url: string, options: RegistryOptions): DeliveryStep<Inputs, Delivered> {
  return {
    kind: 'push-images',
    takes: [verifiedArchive],
    gives: delivered,
    plan: ({ archives }) => [{ subject: url, inputs: { registry: url, roots: rootsOf(archives) } }],
    run: async ({ inputs: { registry, roots } }, { means, flow, all }) => {
      const bounds = new Map(all(verifiedArchive).map((one) => [one.root, one.bounds]));
      const archives = archivesOf(means.archives, roots);
      const pushed = await pushImages(archives, registry, options, flow, ({ catalog }) =>
        bounds.get(catalog.root.digest),
      );
      return { ...pushed, registry };
    },
  };
}
