import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../formats/oci/reference.ts';
import type { Archive, CatalogImage } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import { openRegistries, type RegistryOptions, type RepositoryTarget } from '../registries/index.ts';

/** How many contents of an image an error names. */
const NAMED = 3;

/** A tag of a registry that stood for another manifest before. */
export interface MovedTag {
  /** `HOST[:PORT]/REPOSITORY:TAG`. */
  readonly tag: string;
  readonly from: Digest;
  readonly to: Digest;
}

/** What a load did. */
export interface Loaded {
  /** Contents that were moved, and those that the registry had. */
  readonly moved: number;
  readonly movedBytes: number;
  readonly present: number;
  readonly movedTags: readonly MovedTag[];
}

/**
 * Asks the registry at `url`, a `solpack serve`, whether it has every content of the archives' images. Throws
 * `registry-incomplete` with what is missing.
 */
export async function requireServed(
  archives: readonly Archive[],
  url: string,
  options: RegistryOptions,
  flow: Flow,
): Promise<Loaded> {
  const missing = new Map<string, Digest[]>();
  let present = 0;
  const registries = openRegistries(options);
  try {
    for (const image of archives.flatMap(({ catalog }) => catalog.images)) {
      flow.onEvent({ type: 'step', step: 'ask', subject: image.reference });
      const remote = registries.open(servedTarget(url, parseReference(image.reference)));
      await pool(contentsOf(image).flat(), { signal: flow.signal }, async (descriptor, signal) => {
        if (await remote.has(descriptor, signal)) present += 1;
        else missing.set(image.reference, [...(missing.get(image.reference) ?? []), descriptor.digest]);
      });
    }
  } finally {
    registries.close();
  }
  if (missing.size > 0) throw incomplete(url, missing);
  return { moved: 0, movedBytes: 0, present, movedTags: [] };
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

/** Where a `solpack serve` at `url` has an image: below the name of its registry, so that no two can be mixed up. */
export function servedTarget(url: string, { registry, repository }: Reference): RepositoryTarget {
  const { protocol, host } = new URL(url);
  // A path cannot hold the colon of a port; "_" stands for it, as in the folders of containerd's hosts.toml.
  const folder = registry.toLowerCase().replace(':', '_');
  return {
    scheme: protocol === 'https:' ? 'https' : 'http',
    registry: host,
    repository: `${folder}/${repository}`,
  };
}

/**
 * What an image consists of, and what refers to it, in groups that have to follow each other: blobs, then each manifest
 * after its children, then each referrer after its subject.
 */
export function contentsOf({ closure, referrers }: CatalogImage): Descriptor[][] {
  const closures = [closure, ...referrers.map((referrer) => referrer.closure)];
  return closures.flatMap(({ blobs, manifests }) => [[...blobs], ...manifests.map(({ descriptor }) => [descriptor])]);
}
