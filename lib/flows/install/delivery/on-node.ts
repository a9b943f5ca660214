import { parseReference } from '../../../../formats/oci/reference.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { Product, Work } from '../../../kernel/plan/index.ts';
import type { Catalog } from '../../../parts/archives/index.ts';
import {
  type NodeImage,
  type NodePlace,
  type NodeStore,
  nodeStoreAt,
  type PutPlan,
  type Retained,
} from '../../../parts/node-images/index.ts';
import {
  applied,
  imageNamesOf,
  neededImages,
  nodeImagesOf,
  renamedImage,
} from '../../../shared/solutions/clusters/index.ts';
import { archivesOf } from '../archives.ts';
import { cleared, verifiedArchive } from '../products.ts';
import { GENERATIONS } from '../remembered-generations.ts';
import {
  type Delivered,
  type DeliveryMeans,
  type DeliveryRead,
  type DeliveryStep,
  delivered,
  type ImageDelivery,
} from './delivery.ts';
import { type NodeInputs, nodeInputs } from './node-inputs.ts';
import { pushedBlobs } from './push/index.ts';

/** Given once a folder has a list of the images to pull. */
const listed: Product<PutPlan> = { product: 'list of images' };

/** Given once a place of this machine has no images that nobody needs. */
const tidied: Product<void> = { product: 'place without what nobody needs' };

/**
 * Puts images into a place of this machine, where its runtime finds them by their own names: no registry is needed.
 * When everything is ready, it removes images there that nothing needs. Throws `usage-invalid` for an unknown kind of
 * place.
 */
export function onThisNode(place: NodePlace): ImageDelivery {
  const store = storeAt(place);
  return {
    steps: [
      placeStep(store, {
        gives: delivered,
        before: (work) => tellOthers(store, work),
        outputOf: (plan) => deliveredTo(store, plan),
      }),
    ],
    afterwards: [tidyStep(store, imagesOf)],
    place,
    examine: ({ archives }, flow) => store.examine(nodeImagesOf(archives), flow),
    hashedOnTheWay: pushedBlobs,
    endsWithInstall: false,
  };
}

/** What a delivery does besides for images that stay on this machine. */
export interface KeptOnNode extends Pick<ImageDelivery, 'place' | 'placeOf' | 'examine'> {
  /** Puts them there. */
  readonly step: DeliveryStep;
  /** Removes there, once everything is ready, what nobody needs. */
  readonly afterwards: DeliveryStep;
}

/**
 * Puts the images of one Solution into a place of this machine, whichever way those of all are delivered: its Pods
 * start also while nothing can be pulled. The step comes after what it `takes`, and `gives` that they stay.
 */
export function keptOnThisNode(
  solution: string,
  place: NodePlace,
  { takes, gives }: { readonly takes: readonly Product<unknown>[]; readonly gives: Product<void> },
): KeptOnNode {
  const store = storeAt(place);
  const own = <T extends { readonly archives: readonly { readonly catalog: Pick<Catalog, 'metadata'> }[] }>(
    of: T,
  ): T => ({
    ...of,
    archives: of.archives.filter(({ catalog }) => catalog.metadata.name === solution),
  });
  const plan = (read: DeliveryRead) => [{ subject: store.name, inputs: nodeInputs(store.at, own(read)) }];
  const step = { ...placeStep(store, { takes, gives, outputOf: () => undefined }), plan };
  return {
    step,
    afterwards: { ...tidyStep(store, imagesOf), plan },
    place,
    placeOf: solution,
    examine: (what, flow) => store.examine(nodeImagesOf(own(what).archives), flow),
  };
}

/**
 * Also writes a list of the images into a folder, by which k3s and RKE2 pull them beforehand and pin them. `delivery`
 * delivers them, and they are named as nodes pull them: unchanged if nodes have mirrors.
 */
export function alsoListed(delivery: ImageDelivery, place: NodePlace, isMirrored: boolean): ImageDelivery {
  const store = storeAt(place);
  const { targetOf } = delivery;
  const named: ImagesFor = (inputs, work) => {
    const { registry: url } = work.one(delivered);
    return imagesOf(inputs, work).map((image) => {
      const own = parseReference(image.reference);
      return targetOf === undefined || isMirrored ? image : renamedImage(image, { ...own, ...targetOf(url, own) });
    });
  };
  return {
    ...delivery,
    steps: [...delivery.steps, listStep(store, named)],
    afterwards: [...(delivery.afterwards ?? []), tidyStep(store, named)],
    place,
    examine: async (what, flow) => {
      const own = store.examine(nodeImagesOf(what.archives), flow);
      return [...(await delivery.examine(what, flow)), ...(await own)];
    },
  };
}

function storeAt(place: NodePlace): NodeStore {
  const store = nodeStoreAt(place);
  if (store !== undefined) return store;
  throw new SolpackError('usage-invalid', place.way, 'is not a known place of images', {
    hint: 'name another one',
  });
}

/** What putting images into a place comes after besides, and gives. */
interface Placing<Output> {
  readonly takes?: readonly Product<unknown>[];
  readonly gives: Product<Output>;
  outputOf(plan: PutPlan): Output;
  before?(work: Work<DeliveryMeans>): Promise<void>;
}

function placeStep<Output>(
  store: NodeStore,
  { takes = [], gives, outputOf, before }: Placing<Output>,
): DeliveryStep<NodeInputs, Output> {
  return {
    kind: 'place-images',
    takes: [verifiedArchive, cleared, ...takes],
    gives,
    event: 'place',
    plan: (read) => [{ subject: store.name, inputs: nodeInputs(store.at, read) }],
    run: async ({ inputs }, work) => {
      await before?.(work);
      return outputOf(await store.put(imagesOf(inputs, work), inputs.configuration, work.flow));
    },
    foresee: async ({ inputs }, work) => {
      const plan = await store.foreseePut(imagesOf(inputs, work), inputs.configuration, work.flow);
      return { output: outputOf(plan), ...actionsOf(plan) };
    },
  };
}

/** Returns which images a step works on, as it names them. */
type ImagesFor = (inputs: NodeInputs, work: Work<DeliveryMeans>) => NodeImage[];

function imagesOf({ roots }: NodeInputs, { means }: Work<DeliveryMeans>): NodeImage[] {
  return nodeImagesOf(archivesOf(means.archives, roots));
}

function deliveredTo(store: NodeStore, { lacking, present, moved }: PutPlan): Delivered {
  const movedBytes = lacking.reduce((sum, { bytes }) => sum + bytes, 0);
  return { moved: lacking.length, movedBytes, present, movedTags: moved, registry: store.name };
}

function actionsOf({ lacking, present }: PutPlan) {
  const actions = lacking.map(({ subject, bytes }) => ({ subject, action: 'create' as const, changes: [], bytes }));
  return { actions, unchanged: present };
}

/** Where a cluster has other nodes, they do not get anything by this. */
async function tellOthers(
  { name }: NodeStore,
  { means: { cluster, facts }, flow }: Work<DeliveryMeans>,
): Promise<void> {
  if (cluster === undefined || facts === undefined) return;
  const nodes = await cluster.nodes(flow);
  if (nodes !== undefined && nodes.length < 2) return;
  const message =
    'images are put on this machine only: first run the same command without --kubeconfig on each other node';
  flow.onEvent({ type: 'notice', subject: name, message });
}

function listStep(store: NodeStore, named: ImagesFor): DeliveryStep<NodeInputs, PutPlan> {
  return {
    kind: 'list-images',
    takes: [delivered],
    gives: listed,
    event: 'place',
    plan: (read) => [{ subject: store.name, inputs: nodeInputs(store.at, read) }],
    run: ({ inputs }, work) => store.put(named(inputs, work), inputs.configuration, work.flow),
    foresee: async ({ inputs }, work) => {
      const plan = await store.foreseePut(named(inputs, work), inputs.configuration, work.flow);
      return { output: plan, ...actionsOf(plan) };
    },
  };
}

/** Makes the step that removes what nobody needs any longer. It comes once everything is ready. */
function tidyStep(store: NodeStore, present: ImagesFor): DeliveryStep<NodeInputs, void> {
  const retained = async (inputs: NodeInputs, work: Work<DeliveryMeans>): Promise<Retained> => {
    const { roots, configuration } = inputs;
    const { means, flow } = work;
    const { archives, facts, keepGenerations = GENERATIONS } = means;
    const active = archivesOf(archives, roots).map(({ catalog }) => {
      return { name: catalog.metadata.name, images: imageNamesOf([catalog]) };
    });
    const cluster = facts && means.cluster;
    const keep = await neededImages({ configuration, active, cluster, keepGenerations }, flow);
    return { user: configuration, present: present(inputs, work), keep };
  };
  return {
    kind: 'tidy-images',
    takes: [delivered, listed, applied],
    gives: tidied,
    plan: (read) => [{ subject: store.name, inputs: nodeInputs(store.at, read) }],
    run: async ({ inputs }, work) => {
      const removed = await store.retain(await retained(inputs, work), work.flow);
      for (const subject of removed) {
        work.flow.onEvent({ type: 'notice', subject, message: 'was removed: nothing needs it any more' });
      }
    },
    foresee: async ({ inputs }, work) => {
      const removed = await store.foreseeRetain(await retained(inputs, work), work.flow);
      return { output: undefined, actions: removed.map((subject) => ({ subject, action: 'remove', changes: [] })) };
    },
  };
}
