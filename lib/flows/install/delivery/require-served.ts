import type { Digest } from '../../../../formats/digest.ts';
import { parseReference } from '../../../../formats/oci/reference.ts';
import { type Flow, pool, SolpackError } from '../../../kernel/events/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import { openRegistries, type RegistryOptions } from '../../../parts/registries/index.ts';
import { imageGroups } from '../../../shared/solutions/registries/index.ts';
import { servedTarget } from './served-target.ts';

/** How many contents of an image an error names. */
const NAMED = 3;

/**
 * Asks the registry at `url`, a `solpack serve`, whether it has every content of the archives' images, and counts them.
 * Throws `registry-incomplete` with what is missing.
 */
export async function requireServed(
  archives: readonly Archive[],
  url: string,
  options: RegistryOptions,
  flow: Flow,
): Promise<number> {
  const missing = new Map<string, Digest[]>();
  let present = 0;
  const registries = openRegistries(options);
  try {
    const images = archives.flatMap(({ catalog }) => catalog.images);
    for (const [index, image] of images.entries()) {
      const place = { number: index + 1, of: images.length };
      flow.onEvent({ type: 'step', step: 'ask', subject: image.reference, ...place });
      const remote = registries.open(servedTarget(url, parseReference(image.reference)));
      await pool(imageGroups(image).flat(), { signal: flow.signal }, async (descriptor, signal) => {
        if (await remote.has(descriptor, signal)) present += 1;
        else missing.set(image.reference, [...(missing.get(image.reference) ?? []), descriptor.digest]);
      });
    }
  } finally {
    registries.close();
  }
  if (missing.size > 0) throw incomplete(url, missing);
  return present;
}

function incomplete(url: string, missing: ReadonlyMap<string, readonly Digest[]>): SolpackError {
  const images = [...missing].map(([reference, digests]) => {
    const more = digests.length > NAMED ? ` and ${digests.length - NAMED} more` : '';
    return `of ${reference} ${digests.toSorted().slice(0, NAMED).join(', ')}${more}`;
  });
  const count = [...missing.values()].flat().length;
  const message = `lacks ${count} ${count === 1 ? 'content' : 'contents'}: ${images.join('; ')}`;
  return new SolpackError('registry-incomplete', url, message, {
    hint: 'serve the archives that the SolutionsConfiguration names',
  });
}
