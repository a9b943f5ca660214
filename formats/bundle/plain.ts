import { type BundleObject, bundleObjects, type OperatorBundleFile, refusedBundle } from './files.ts';

/**
 * Reads a plain+v0 bundle: the objects of `manifests/`, one at least, as they are. What lies beside that folder does
 * not count. Throws what `bundleObjects` throws (RukPak, "plain+v0").
 */
export function readPlainBundle(files: readonly OperatorBundleFile[]): BundleObject[] {
  const objects = bundleObjects(files);
  if (objects.length === 0) throw refusedBundle('has no objects, but a plain+v0 bundle has at least one');
  return objects;
}
