import { formatReference, parseReference } from '../../formats/oci/reference.ts';
import type { Generation, GenerationImage } from '../clusters/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import { openRegistries, type Registries, type RegistryOptions } from '../registries/index.ts';

/** An image of a generation that cannot be pulled any longer. */
export interface MissingImage {
  readonly image: GenerationImage;
  readonly solution: string;
  readonly archive: string | undefined;
  readonly reason: string;
}

/** How many images are asked for at once. */
const ASKED = 8;

/**
 * Asks the registries that had the images of a generation whether they have them still, by their digests. Images of which nobody
 * knows where they were are missing.
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
    await pool(all, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
      const reason = await whyMissing(one.image, registries, signal);
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
  if (at === undefined) return 'it was served by the install itself, which has ended';
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

/** Returns the error that names images which cannot be pulled, and the archives that have them. */
export function imagesGone(missing: readonly MissingImage[], flag: string): SolpackError {
  const words = missing.map(({ image: { reference }, reason }) => {
    const { registry, repository, tag } = parseReference(reference);
    return `${formatReference({ registry, repository, ...(tag === undefined ? {} : { tag }) })} (${reason})`;
  });
  const shown = words.slice(0, NAMED).join('; ');
  const more = words.length > NAMED ? ` and ${words.length - NAMED} more` : '';
  const archives = [...new Set(missing.flatMap(({ archive, solution }) => archive ?? `one of ${solution}`))];
  const subject = [...new Set(missing.map(({ solution }) => solution))].join(', ');
  return new SolpackError('image-missing', subject, `images cannot be pulled: ${shown}${more}`, {
    hint: `serve or push ${archives.join(', ')}, which has them; or go on without them by ${flag}`,
  });
}

/** How many images an error names. */
const NAMED = 5;
