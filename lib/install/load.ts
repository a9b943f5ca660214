import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { parseReference, type Reference } from '../../formats/oci/reference.ts';
import type { Archive, CatalogImage } from '../archives/index.ts';
import { copy, type Transfer } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import {
  openRegistries,
  type RegistryOptions,
  type Repository,
  type RepositoryTarget,
  targetFor,
} from '../registries/index.ts';

/** How many contents of an image an error names. */
const NAMED = 3;

/** How many images a registry is asked for at once. */
const ASKED = 8;

/** What a load did. */
export interface Loaded {
  /** Contents that were moved, and those that the registry had. */
  readonly moved: number;
  readonly movedBytes: number;
  readonly present: number;
}

interface Placed {
  readonly archive: Archive;
  readonly image: CatalogImage;
  readonly target: RepositoryTarget;
  readonly tag: string | undefined;
}

/**
 * Pushes the images of archives to the registry at `url`, blobs before manifests, each content once. Of an image that the
 * registry has already nothing is read. Image names keep their repository, below the path of `url`. Throws
 * `image-conflict`, `content-mismatch`, and what the registry answers.
 */
export async function pushImages(
  archives: readonly Archive[],
  url: string,
  options: RegistryOptions,
  flow: Flow,
): Promise<Loaded> {
  const placed = place(archives, (reference) => targetFor(url, reference));
  const total = placed.reduce((sum, { image }) => sum + transfersOf(image).flat().reduce(size, 0), 0);
  let [done, moved, movedBytes, present] = [0, 0, 0, 0];
  const count = (more: number): void => {
    done += more;
    flow.onEvent({ type: 'progress', step: 'load', done, total });
  };
  // Together, so that what images share is sent once, and mounted wherever else it belongs.
  const registries = openRegistries(options);
  try {
    const there = new Set<Placed>();
    await pool(placed, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
      const repository = registries.open(one.target);
      if (!(await isThere(repository, one.image, signal))) return;
      await tagAll(repository, one, signal);
      there.add(one);
      const contents = transfersOf(one.image).flat();
      present += contents.length;
      count(contents.reduce(size, 0));
    });
    for (const one of placed.filter((each) => !there.has(each))) {
      const { archive, image, target } = one;
      flow.onEvent({ type: 'step', step: 'load', subject: image.reference });
      const repository = registries.open(target);
      const groups = transfersOf(image).map((group) =>
        group.map((descriptor): Transfer => ({ descriptor, source: archive.source })),
      );
      const copied = await copy(groups, repository, { signal: flow.signal, onBytes: count });
      await tagAll(repository, one, flow.signal);
      moved += copied.moved;
      movedBytes += copied.movedBytes;
      present += copied.present;
    }
  } finally {
    registries.close();
  }
  return { moved, movedBytes, present };
}

/** The blobs of an archive that `pushImages` hashes where it sends them. */
export function pushedBlobs({ catalog: { images } }: Archive): ReadonlySet<Digest> {
  return new Set(images.flatMap((image) => transfersOf(image).flat()).map(({ digest }) => digest));
}

/**
 * Whether a registry has an image and all that refers to it: it takes a manifest only where all that it names is there
 * (distribution-spec "Pushing Manifests"), so that nothing below has to be asked for.
 */
async function isThere(
  repository: Repository,
  { descriptor, referrers }: CatalogImage,
  signal: AbortSignal,
): Promise<boolean> {
  for (const top of [descriptor, ...referrers.map((referrer) => referrer.descriptor)]) {
    if (!(await repository.has(top, signal))) return false;
  }
  return true;
}

/** Gives an image, and what refers to it, the tags that they have. */
async function tagAll(repository: Repository, { image, tag }: Placed, signal: AbortSignal): Promise<void> {
  if (tag !== undefined) await repository.tag(image.descriptor, topManifest(image), tag, signal);
  for (const referrer of image.referrers) {
    if (referrer.tag === undefined) continue;
    await repository.tag(referrer.descriptor, topManifest(referrer), referrer.tag, signal);
  }
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
      await pool(transfersOf(image).flat(), { signal: flow.signal }, async (descriptor, signal) => {
        if (await remote.has(descriptor, signal)) present += 1;
        else missing.set(image.reference, [...(missing.get(image.reference) ?? []), descriptor.digest]);
      });
    }
  } finally {
    registries.close();
  }
  if (missing.size > 0) throw incomplete(url, missing);
  return { moved: 0, movedBytes: 0, present };
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

/** Every image with its place in the registry; two images must not claim one place. */
function place(archives: readonly Archive[], targetOf: (reference: Reference) => RepositoryTarget): Placed[] {
  const claimed = new Map<string, CatalogImage>();
  return archives.flatMap((archive) =>
    archive.catalog.images.map((image) => {
      const reference = parseReference(image.reference);
      const target = targetOf(reference);
      const name = `${target.repository}:${reference.tag ?? image.descriptor.digest}`;
      const other = claimed.get(name);
      if (other && other.descriptor.digest !== image.descriptor.digest) {
        throw new SolpackError(
          'image-conflict',
          name,
          `is claimed by ${other.reference} and by ${image.reference}, which differ`,
          {
            hint: 'push them to different registries, or rename one of them',
          },
        );
      }
      claimed.set(name, image);
      return { archive, image, target, tag: reference.tag };
    }),
  );
}

/**
 * What an image consists of, and what refers to it, in groups that have to follow each other: blobs, then each manifest
 * after its children, then each referrer after its subject.
 */
function transfersOf({ closure, referrers }: CatalogImage): Descriptor[][] {
  const closures = [closure, ...referrers.map((referrer) => referrer.closure)];
  return closures.flatMap(({ blobs, manifests }) => [[...blobs], ...manifests.map(({ descriptor }) => [descriptor])]);
}

function topManifest({ descriptor, closure }: Pick<CatalogImage, 'descriptor' | 'closure'>): Uint8Array {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!.bytes;
}

function size(sum: number, descriptor: Descriptor): number {
  return sum + descriptor.size;
}
