import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { isTestAlone } from '../../../formats/manifest/hooks.ts';
import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import type { RenderedSolution } from '../../parts/clusters/index.ts';
import { objectName, placeStatements } from './closure/index.ts';
import type { PullName } from './image-names.ts';
import type { Renderable } from './renderable.ts';
import { nameImages, type UsedImage } from './used-images.ts';

/** The components of a Solution with their objects, in its order. */
type Components = readonly { readonly component: ComponentMetadata; readonly objects: readonly KubernetesObject[] }[];

/** The names that images have anyway, before it is known where nodes pull them from. */
export const ownName: PullName = (reference, digest) => formatReference({ ...parseReference(reference), digest });

/**
 * Finds every image that the objects of a Solution name, wherever they do so; `withoutTests` leaves out what is not
 * held and that hooks for tests alone name.
 */
export function imagesUsed(solution: Renderable, components: Components, withoutTests: boolean): UsedImage[] {
  return namedBy(solution, components, ownName).flatMap(({ used, tests }) =>
    used.filter(({ object, held }) => held || !withoutTests || !tests.has(object)),
  );
}

/**
 * Names the images of rendered Solutions as nodes pull them. The Solutions are those of `renderables`, in their order.
 */
export function withPullNames(
  solutions: readonly RenderedSolution[],
  renderables: readonly Renderable[],
  pullName: PullName,
): { readonly solutions: readonly RenderedSolution[]; readonly used: readonly UsedImage[] } {
  const used: UsedImage[] = [];
  const named = solutions.map((solution, index) => {
    const renderable = renderables[index]!;
    const stated = solution.components.map(({ name, objects }) => ({
      component: renderable.metadata.components.find((one) => one.name === name)!,
      objects,
    }));
    const found = namedBy(renderable, stated, pullName);
    used.push(...found.flatMap((one) => one.used));
    const components = solution.components.map((one, at) => ({ ...one, objects: found[at]!.objects }));
    return { ...solution, components };
  });
  return { solutions: named, used };
}

function namedBy(
  solution: Renderable,
  components: Components,
  pullName: PullName,
): { readonly objects: KubernetesObject[]; readonly used: UsedImage[]; readonly tests: ReadonlySet<string> }[] {
  const placed = placeStatements(
    components.map(({ component, objects }) => ({
      component,
      objects: objects.map((object) => ({ object, source: undefined })),
    })),
  );
  return components.map(({ component: { name }, objects }) => {
    const names = placed.filter((one) => one.component === name).map(objectName);
    const tests = new Set(names.filter((_, at) => isTestAlone(objects[at]!)));
    return { ...nameImages(solution, name, objects, names, pullName), tests };
  });
}
