import type { Digest } from '../../../formats/digest.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import { finderOf, objectWords, type Renderable, renderableArchive } from '../../shared/rendering/index.ts';
import { type ArchivePlace, openMedium } from '../../shared/solutions/media/index.ts';
import { inspect } from '../inspect/index.ts';
import { type KnownComponents, renderKnown, rightsOfKnown } from '../rights/index.ts';
import type { ArchiveDescription, DescribedContent, DescribedImage, DescribedUse } from './description.ts';
import { packagesIn } from './packages.ts';

export type {
  /** Everything that an archive says about itself, for somebody who decides about it. */
  ArchiveDescription,
  /** Some content of an image. */
  DescribedContent,
  /** An image, with its contents and its users. */
  DescribedImage,
  /** A package in images of an archive. */
  DescribedPackage,
  /** All packages that SBOMs of an archive list, each once for each version and license. */
  DescribedPackages,
  /** An object that names an image. */
  DescribedUse,
} from './description.ts';

/**
 * Describes an archive wholly: what `inspect` tells, its objects and rights as they are rendered without a cluster, and
 * the packages that its SBOMs list. Nobody is asked who made it. Throws as `openArchive`, and `archive-damaged`.
 */
export async function describeArchive(place: ArchivePlace, flow: Flow): Promise<ArchiveDescription> {
  const inspection = await inspect(place, flow);
  return lend(await openMedium(place, flow), async (archive) => {
    const solution: Renderable = renderableArchive(archive);
    const known = await renderKnown(solution, flow);
    return {
      inspection,
      images: imagesOf(archive.catalog, known),
      objects: known.components.map(({ name, objects }) => ({
        component: name,
        objects: objects.map((object) => objectWords(object)),
      })),
      rights: rightsOfKnown(solution, known),
      packages: await packagesIn(archive, flow.signal),
    };
  });
}

function imagesOf({ images }: Catalog, { used }: KnownComponents): DescribedImage[] {
  const find = finderOf(images);
  const uses = new Map<string, Map<string, DescribedUse>>();
  for (const { reference, component, object } of used) {
    const image = find(reference)?.image.reference;
    if (image === undefined) continue;
    const known = uses.get(image) ?? new Map<string, DescribedUse>();
    uses.set(image, known.set(object, { component, object }));
  }
  return images.map(({ reference, closure }) => {
    const contents = new Map([...closure.manifests.map(({ descriptor }) => descriptor), ...closure.blobs].map(sized));
    return {
      reference,
      contents: [...contents].map(([digest, size]) => ({ digest, size })),
      uses: [...(uses.get(reference)?.values() ?? [])],
    };
  });
}

function sized({ digest, size }: DescribedContent): [Digest, number] {
  return [digest, size];
}
