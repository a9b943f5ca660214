import type { Digest } from '../../../formats/digest.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { ForeseenAction } from '../../kernel/plan/index.ts';
import { type ContainerdImage, ctrAt, PINNED } from '../../parts/node-images/index.ts';
import { cleared, type DeliveryStep } from '../install/index.ts';
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
      const ctr = await ctrAt(inputs.containerd, flow);
      for (const name of unpinnedNames(inputs, await ctr.images(), flow)) await ctr.label(name, { [PINNED]: 'pinned' });
    },
    foresee: async ({ inputs }, { flow }) => {
      const images = await (await ctrAt(inputs.containerd, flow)).images();
      const names = unpinnedNames(inputs, images, flow);
      const actions = names.map((subject): ForeseenAction => ({ subject, action: 'change', changes: [] }));
      return { output: undefined, actions };
    },
  };
}

/** Lists the names that have to be pinned. Throws `image-missing` where none of the images is on this node. */
function unpinnedNames({ containerd, images }: Inputs, all: readonly ContainerdImage[], flow: Flow): string[] {
  const there = images.flatMap(({ reference, digest }) => {
    const named = all.filter((image) => image.digest === digest);
    const message =
      'is not on this node, and not pinned here: a Pod that uses it cannot start while the registry is down';
    if (named.length === 0) flow.onEvent({ type: 'notice', subject: reference, message });
    return named;
  });
  if (there.length > 0) return there.filter(({ labels }) => labels.get(PINNED) !== 'pinned').map(({ name }) => name);
  throw new SolpackError('image-missing', containerd, 'has no image of the Solution that brings the registry', {
    hint: 'run this on the node where the Pod of the registry runs; or give --no-pin, and keep its image in another way',
  });
}
