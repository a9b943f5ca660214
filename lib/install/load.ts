import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { formatReference, parseReference } from '../../formats/oci/reference.ts';
import type { Archive, CatalogImage } from '../archives/index.ts';
import { copy, type Transfer } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, pool } from '../flow.ts';
import { openRepository, type RegistryOptions, type RepositoryTarget, targetFor } from '../registries/index.ts';

/** An image that a registry now has. */
export interface LoadedImage {
  readonly reference: string;
  /** The name to pull it by from that registry, with its digest. */
  readonly target: string;
}

/** What a load did. */
export interface Loaded {
  readonly images: readonly LoadedImage[];
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
 * Pushes the images of archives to the registry at `url`, blobs before manifests, each content once. Image names keep
 * their repository, below the path of `url`. Throws `image-conflict`, and what the registry answers.
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
  const images: LoadedImage[] = [];
  for (const { archive, image, target, tag } of placed) {
    flow.onEvent({ type: 'step', step: 'load', subject: image.reference });
    const repository = await openRepository(target, options);
    try {
      const groups = transfersOf(image).map((group) =>
        group.map((descriptor): Transfer => ({ descriptor, source: archive.source })),
      );
      const copied = await copy(groups, repository, {
        signal: flow.signal,
        onBytes: (count) => {
          done += count;
          flow.onEvent({ type: 'progress', step: 'load', done, total });
        },
      });
      if (tag !== undefined) await repository.tag(image.descriptor, topManifest(image), tag, flow.signal);
      moved += copied.moved;
      movedBytes += copied.movedBytes;
      present += copied.present;
    } finally {
      await repository.close();
    }
    images.push({ reference: image.reference, target: pullName(target, tag, image.descriptor) });
  }
  return { images, moved, movedBytes, present };
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
  const { protocol, host } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const missing: string[] = [];
  const images: LoadedImage[] = [];
  for (const archive of archives) {
    for (const image of archive.catalog.images) {
      flow.onEvent({ type: 'step', step: 'ask', subject: image.reference });
      const { registry, repository } = parseReference(image.reference);
      // A path cannot hold the colon of a port; "_" stands for it, as in the folders of containerd's hosts.toml.
      const target = { scheme, registry: host, repository: `${registry.replace(':', '_')}/${repository}` } as const;
      const remote = await openRepository(target, options);
      try {
        await pool(transfersOf(image).flat(), { signal: flow.signal }, async (descriptor, signal) => {
          if (!(await remote.has(descriptor, signal))) missing.push(`${image.reference} ${descriptor.digest}`);
        });
      } finally {
        await remote.close();
      }
      images.push({ reference: image.reference, target: image.reference });
    }
  }
  if (missing.length > 0) {
    const some = missing.slice(0, 3).join(', ');
    throw new SolpackError(
      'registry-incomplete',
      url,
      `lacks ${missing.length} contents: ${some}${missing.length > 3 ? ', …' : ''}`,
      {
        hint: 'serve the archives that the SolutionsConfiguration names',
      },
    );
  }
  return { images, moved: 0, movedBytes: 0, present: images.length };
}

/** Every image with its place in the registry; two images must not claim one place. */
function place(
  archives: readonly Archive[],
  targetOf: (reference: ReturnType<typeof parseReference>) => RepositoryTarget,
): Placed[] {
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

/** What an image consists of, in groups that have to follow each other: blobs, then each manifest after its children. */
function transfersOf({ closure }: CatalogImage): Descriptor[][] {
  return [[...closure.blobs], ...closure.manifests.map(({ descriptor }) => [descriptor])];
}

function topManifest({ descriptor, closure }: CatalogImage): Uint8Array {
  return closure.manifests.find((manifest) => manifest.descriptor.digest === descriptor.digest)!.bytes;
}

function pullName({ registry, repository }: RepositoryTarget, tag: string | undefined, { digest }: Descriptor): string {
  return formatReference({ registry, repository, digest, ...(tag === undefined ? {} : { tag }) });
}

function size(sum: number, descriptor: Descriptor): number {
  return sum + descriptor.size;
}
