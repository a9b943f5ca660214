import type { StatedObject } from '../components/index.ts';
import { type ObjectPatch, patchObjects } from '../components/index.ts';
import type { Flow } from '../flow.ts';
import { type SiteInputs, type SitePatch, siteError } from '../solutions/sites/inputs.ts';

/**
 * Applies the patches of a site to the objects of a component. Throws `site-invalid` for a patch that is for none of them or
 * cannot be applied, and `tool-missing`.
 */
export async function patchedBySite(
  site: SiteInputs | undefined,
  component: string,
  stated: readonly StatedObject[],
  flow: Flow,
): Promise<readonly StatedObject[]> {
  if (site === undefined || site.patches.length === 0) return stated;
  const objects = stated.map(({ object }) => object);
  const patched = await patchObjects(component, objects, site.patches.map(asPatch), flow);
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
