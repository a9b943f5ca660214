import type { Digest } from '../../formats/digest.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { DeliveryStep } from '../install/delivery/delivery.ts';
import { cleared } from '../install/products.ts';
import type { ForeseenAction } from '../plan/foreseen.ts';
import { imageNames, pin } from './containerd.ts';
import { answering, kept } from './products.ts';

type Inputs = {
  readonly containerd: string;
  readonly images: readonly { readonly reference: string; readonly digest: Digest }[];
};

/** Makes the step that pins the images of the Solution that brings the registry, in the containerd at an address. */
export function pinStep(solution: string, containerd: string): DeliveryStep<Inputs, void> {
  return {
    kind: 'pin-images',
    takes: [cleared, answering],
    gives: kept,
    event: 'pin',
    plan: ({ archives }) => {
      const own = archives.filter(({ catalog }) => catalog.metadata.name === solution);
      const images = own.flatMap(({ catalog }) => catalog.images);
      const named = images.map(({ reference, descriptor: { digest } }) => ({ reference, digest }));
      return [{ subject: containerd, inputs: { containerd, images: named } }];
    },
    run: async ({ inputs }, { flow }) => {
      for (const name of await unpinnedNames(inputs, flow)) await pin(inputs.containerd, [name], flow);
    },
    foresee: async ({ inputs }, { flow }) => {
      const names = await unpinnedNames(inputs, flow);
      const actions = names.map((subject): ForeseenAction => ({ subject, action: 'change', changes: [] }));
      return { output: undefined, actions };
    },
  };
}

/** Lists the names that have to be pinned. Throws `image-missing` where none of the images is on this node. */
async function unpinnedNames({ containerd, images }: Inputs, flow: Flow): Promise<string[]> {
  const unpinned: string[] = [];
  let found = 0;
  for (const { reference, digest } of images) {
    const names = await imageNames(containerd, digest, { unpinned: false }, flow);
    found += names.length;
    unpinned.push(...(await imageNames(containerd, digest, { unpinned: true }, flow)));
    if (names.length > 0) continue;
    const message =
      'is not on this node, and not pinned here: a Pod that uses it cannot start while the registry is down';
    flow.onEvent({ type: 'notice', subject: reference, message });
  }
  if (found > 0) return unpinned;
  throw new SolpackError('image-missing', containerd, 'has no image of the Solution that brings the registry', {
    hint: 'run this on the node where the Pod of the registry runs; or give --no-pin, and keep its image otherwise',
  });
}
