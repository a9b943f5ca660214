import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import type { RenderedSolution } from '../../../parts/clusters/index.ts';
import { type PullName, type Renderable, type UsedImage, withPullNames } from '../../../shared/rendering/index.ts';

/**
 * Names the images of rendered trees as nodes pull them, where one of the archives holds them, always with a digest;
 * reports every image that objects name.
 */
export function namedTree(
  solution: RenderedSolution,
  archives: readonly Pick<Archive, 'path' | 'catalog'>[],
  pullName: PullName,
): { readonly solution: RenderedSolution; readonly used: readonly UsedImage[] } {
  const { solutions, used } = withPullNames([solution], [asRenderable(solution, archives)], pullName);
  return { solution: solutions[0]!, used };
}

/** Trees as a Solution that brings the images of archives along. */
function asRenderable(
  { name, version, components }: RenderedSolution,
  archives: readonly Pick<Archive, 'path' | 'catalog'>[],
): Renderable {
  const metadata: SolutionMetadata = {
    formatVersion: 1,
    name,
    version,
    created: 0,
    signatureSlots: { count: 0, size: 0 },
    components: components.map((one) => ({ name: one.name, kind: 'manifests', after: [], entry: '', values: [] })),
    externalImages: archives.flatMap(({ catalog }) => catalog.metadata.externalImages ?? []),
  };
  return {
    path: archives.map(({ path }) => path).join(', '),
    metadata,
    root: undefined,
    images: archives.flatMap(({ catalog }) => catalog.images),
    files: () => {
      throw new Error('trees are not unpacked');
    },
  };
}
