import type { Digest } from '../../../formats/digest.ts';
import type { RegistryOptions } from '../../registries/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { type Delivered, type DeliveryStep, delivered } from '../delivery/delivery.ts';
import { verified } from '../products.ts';
import { pushImages as push } from '../push/index.ts';

/** Which registry gets the images of which archives. */
type Inputs = { readonly registry: string; readonly roots: readonly Digest[] };

/** Makes the step that pushes all images to the registry at `url`, which is reached as `options` say. */
export function pushImages(url: string, options: RegistryOptions): DeliveryStep<Inputs, Delivered> {
  return {
    kind: 'push-images',
    takes: [verified],
    gives: delivered,
    plan: ({ archives }) => [{ subject: url, inputs: { registry: url, roots: rootsOf(archives) } }],
    run: async ({ inputs }, { means, flow, all }) => {
      const archives = archivesOf(means.archives, inputs.roots);
      const bounds = new Map(all(verified).map((one) => [one.root, one.bounds]));
      return push(archives, inputs.registry, options, flow, ({ catalog }) => bounds.get(catalog.root.digest));
    },
  };
}
