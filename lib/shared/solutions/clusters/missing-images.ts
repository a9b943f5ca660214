import { formatReference } from '../../../../formats/oci/reference.ts';
import { type Flow, pool, SolpackError } from '../../../kernel/events/index.ts';
import type { Generation, GenerationImage } from '../../../parts/clusters/index.ts';
import { openRegistries, type Registries, type RegistryOptions } from '../../../parts/registries/index.ts';
import { missingOnNode } from './node-images.ts';

/** An image of a generation that can no longer be pulled. */
export interface MissingImage {
  readonly image: GenerationImage;
  readonly solution: string;
  readonly archive: string | undefined;
  readonly reason: string;
}

/** How many images are asked for at once. */
const ASKED = 8;

/**
 * Asks the registries that had the images of a generation whether they have them still, by their digests; looks for
 * those that were put on this machine. Images whose places are unknown are missing.
 */
export async function findMissingImages(
  { solutions }: Pick<Generation, 'solutions'>,
  options: RegistryOptions,
  flow: Flow,
): Promise<readonly MissingImage[]> {
  const registries = openRegistries(options);
  const missing: MissingImage[] = [];
  const all = solutions.flatMap(({ name, version, archive, images }) =>
    images.map((image) => ({ image, solution: `${name} ${version}`, archive })),
  );
  try {
    const onNode = await missingOnNode(
      all.flatMap(({ image }) => (image.at === undefined ? image : [])),
      flow,
    );
    await pool(all, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
      const isOnNode = one.image.at === undefined && one.image.on !== undefined;
      const reason = isOnNode ? onNode.get(one.image) : await whyMissing(one.image, registries, signal);
      if (reason !== undefined) missing.push({ ...one, reason });
    });
  } finally {
    registries.close();
  }
  return missing;
}

async function whyMissing(
  { digest, at }: GenerationImage,
  registries: Registries,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (at === undefined) return 'the install itself served it, and has ended';
  const reference = { registry: at.registry, repository: at.repository, digest };
  try {
    const found = await registries.open(at).resolve(formatReference(reference), signal);
    return found === undefined ? `${at.registry} does not have it` : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SolpackError) return `${error.subject}: ${error.message}`;
    throw error;
  }
}
