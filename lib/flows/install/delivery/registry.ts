import type { Digest } from '../../../../formats/digest.ts';
import type { Work } from '../../../kernel/plan/index.ts';
import { type RegistryOptions, targetFor } from '../../../parts/registries/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { cleared, verifiedArchive } from '../products.ts';
import { type Delivered, type DeliveryMeans, type DeliveryStep, delivered, type ImageDelivery } from './delivery.ts';
import { examinePush, foreseePush, type PushedArchives, pushedBlobs, pushImages } from './push/index.ts';

/** Pushes images to the registry at `url`, whose path precedes their names. */
export function pushedToRegistry(url: string, options: RegistryOptions): ImageDelivery {
  return {
    steps: [pushStep(url, options)],
    url,
    examine: (what, flow) => examinePush(what, url, options, flow),
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
    takes: [verifiedArchive, cleared],
    gives: delivered,
    event: 'load',
    plan: ({ archives }) => [{ subject: url, inputs: { registry: url, roots: rootsOf(archives) } }],
    run: async (step, work) => {
      const { registry } = step.inputs;
      return { ...(await pushImages(requestOf(step.inputs, work), registry, options, work.flow)), registry };
    },
    foresee: async (step, work) => {
      const { registry } = step.inputs;
      const { output, ...rest } = await foreseePush(requestOf(step.inputs, work), registry, options, work.flow);
      return { output: { ...output, registry }, ...rest };
    },
  };
}

function requestOf({ roots }: Inputs, { means, all }: Work<DeliveryMeans>): PushedArchives {
  const bounds = new Map(all(verifiedArchive).map((one) => [one.root, one.bounds]));
  return { archives: archivesOf(means.archives, roots), bounds: ({ catalog }) => bounds.get(catalog.root.digest) };
}
