import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { type ObjectPatch, patchObjects, type StatedObject } from '../../parts/components/index.ts';
import { type SiteInputs, type SitePatch, siteError } from '../solutions/sites/index.ts';

/** A patch of a site, and the objects of a component that it is for. */
export interface TargetedPatch {
  /** The Solution, or one of its environments. */
  readonly solution: string;
  readonly component: string;
  readonly patch: SitePatch;
  /** As they are before any patch. */
  readonly objects: readonly KubernetesObject[];
}

/**
 * Applies the patches of a site to the objects of a component, and says what they are for. Throws `site-invalid` for a
 * patch that is for none of them or cannot be applied, and `tool-missing`.
 */
export async function patchedBySite(
  site: SiteInputs | undefined,
  component: string,
  stated: readonly StatedObject[],
  flow: Flow,
  onTargets: (patch: Pick<TargetedPatch, 'patch' | 'objects'>) => void,
): Promise<readonly StatedObject[]> {
  if (site === undefined || site.patches.length === 0) return stated;
  const objects = stated.map(({ object }) => object);
  const patches = site.patches.map((patch) => ({
    ...asPatch(patch),
    onTargets: (found: readonly KubernetesObject[]) => onTargets({ patch, objects: found }),
  }));
  const patched = await patchObjects(component, objects, patches, flow);
  return patched.flatMap((object, index) => (object === undefined ? [] : [{ ...stated[index]!, object }]));
}

function asPatch(patch: SitePatch): ObjectPatch {
  const { documents, target, options } = patch;
  return {
    documents,
    target: target as ObjectPatch['target'],
    options: options as ObjectPatch['options'],
    refuse: (message) => siteError(patch, [{ message }], 'correct the patch, or its target'),
  };
}
