import { hostname } from 'node:os';
import type { Digest } from '../../../../formats/digest.ts';
import { formatReference } from '../../../../formats/oci/reference.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { Archive, Catalog } from '../../../parts/archives/index.ts';
import type {
  ClusterTarget,
  Generation,
  GenerationImage,
  GenerationPlace,
  GenerationSolution,
} from '../../../parts/clusters/index.ts';
import { type ImageName, type NodeImage, nodeStoreAt } from '../../../parts/node-images/index.ts';

/** Lists the images of archives as a node takes them. */
export function nodeImagesOf(archives: readonly Pick<Archive, 'catalog' | 'source'>[]): NodeImage[] {
  return archives.flatMap(({ catalog, source }) =>
    catalog.images.map(({ reference, descriptor, closure: { blobs, manifests } }) => {
      const contents = [...blobs, ...manifests.map((manifest) => manifest.descriptor)];
      return { reference, digest: descriptor.digest, descriptor, contents, source };
    }),
  );
}

/** Names the images of catalogs. */
export function imageNamesOf(catalogs: readonly Pick<Catalog, 'images'>[]): ImageName[] {
  return catalogs.flatMap(({ images }) =>
    images.map(({ reference, descriptor: { digest } }) => ({ reference, digest })),
  );
}

/** Whose images a node keeps. */
export interface NodeNeeds {
  readonly configuration: string;
  /** The Solutions that are active. */
  readonly active: readonly Pick<GenerationSolution, 'name' | 'images'>[];
  /** Undefined where no cluster reports generations. */
  readonly cluster: Pick<ClusterTarget, 'generations'> | undefined;
  /** How many generations are kept: where that is 1, there is none to go back to. */
  readonly keepGenerations: number;
}

/**
 * Lists the images that a node continues to need: those of the Solutions that are active, and what these had in the
 * newest generation that went well with other images, so that it can be gone back to. Undefined where no generations
 * are known.
 */
export async function neededImages(
  { configuration, active, cluster, keepGenerations }: NodeNeeds,
  flow: Flow,
): Promise<readonly ImageName[] | undefined> {
  const present = active.flatMap(({ images }) => images);
  if (present.length === 0 || keepGenerations === 1) return present;
  if (cluster === undefined) return undefined;
  const now = digestsOf(active);
  const before = (await cluster.generations(configuration, flow)).find(
    ({ state, solutions }) => state === 'ready' && digestsOf(solutions) !== now,
  );
  // Environments of a Solution are called by its name and their own.
  const names = new Set(active.map(({ name }) => instanceParts(name).name));
  const kept = (before?.solutions ?? []).filter(({ name }) => names.has(instanceParts(name).name));
  return [...present, ...kept.flatMap(({ images }) => images)];
}

function digestsOf(solutions: readonly Pick<GenerationSolution, 'images'>[]): string {
  const all = solutions.flatMap(({ images }) => images.map(({ reference, digest }) => `${reference} ${digest}`));
  return [...new Set(all)].sort().join('\n');
}

/**
 * Removes from the places of this machine what generations had put there, and what is not in `staying`. Of what is on
 * other machines, it says.
 */
export async function releaseNodeImages(
  configuration: string,
  generations: readonly Generation[],
  staying: readonly ImageName[],
  flow: Flow,
): Promise<void> {
  const images = generations.flatMap(({ solutions }) => solutions.flatMap((solution) => solution.images));
  for (const place of placesOf(images)) {
    const store = nodeStoreAt(place);
    const subject = `${place.way}:${place.place}`;
    if (place.host !== hostname() || store === undefined) {
      const message = `images are still on ${place.host}: to remove them, install a configuration there that activates nothing`;
      flow.onEvent({ type: 'notice', subject, message });
      continue;
    }
    const removed = await store.retain({ user: configuration, present: staying, keep: staying }, flow);
    for (const one of removed)
      flow.onEvent({ type: 'notice', subject: one, message: 'was removed: nothing needs it any more' });
  }
}

function placesOf(images: readonly GenerationImage[]): GenerationPlace[] {
  const places = images.flatMap(({ on }) => on ?? []);
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

/** Reports images that were put on machines why they are not there; what is there is left out. */
export async function missingOnNode(
  images: readonly GenerationImage[],
  flow: Flow,
): Promise<ReadonlyMap<GenerationImage, string>> {
  const missing = new Map<GenerationImage, string>();
  for (const place of placesOf(images)) {
    const own = images.filter(({ on }) => on !== undefined && JSON.stringify(on) === JSON.stringify(place));
    for (const [image, reason] of await missingAt(place, own, flow)) missing.set(image, reason);
  }
  return missing;
}

async function missingAt(
  place: GenerationPlace,
  images: readonly GenerationImage[],
  flow: Flow,
): Promise<ReadonlyMap<GenerationImage, string>> {
  const store = nodeStoreAt(place);
  const all = (reason: string): ReadonlyMap<GenerationImage, string> => new Map(images.map((image) => [image, reason]));
  if (place.host !== hostname() || store === undefined) {
    return all(
      `it was put on ${place.host} (${place.way}:${place.place}), and only that host can check whether it still exists`,
    );
  }
  try {
    const lacking = await store.lacks(images, flow);
    return new Map(images.flatMap((image) => (lacking.has(image) ? [[image, lacking.get(image)!]] : [])));
  } catch (error) {
    flow.signal.throwIfAborted();
    if (error instanceof SolpackError) return all(`${error.subject}: ${error.message}`);
    throw error;
  }
}

/** Renames an image as a registry has it. */
export function renamedImage(
  image: NodeImage,
  { registry, repository, tag }: { readonly registry: string; readonly repository: string; readonly tag?: string },
): NodeImage {
  const digest: Digest = image.digest;
  return {
    ...image,
    reference: formatReference({ registry, repository, ...(tag === undefined ? {} : { tag }), digest }),
  };
}
