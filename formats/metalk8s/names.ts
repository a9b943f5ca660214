import type { Reference } from '../oci/reference.ts';

/** The name by which Pods of MetalK8s ask for images of Solutions; nodes get them from a mirror of it. */
export const METALK8S_REGISTRY = 'metalk8s-registry-from-config.invalid';

/** Where a medium for MetalK8s has what, by paths in it. */
export const metalk8sPaths = {
  manifest: 'manifest.yaml',
  product: 'product.txt',
  config: 'config.yaml',
  images: 'images',
  crds: 'operator/deploy/crds',
  roles: 'operator/deploy/role.yaml',
  registry: 'registry-config.inc.j2',
} as const;

/** How files of CustomResourceDefinitions end that MetalK8s applies; it leaves others out. */
export const CRD_SUFFIX = '_crd.yaml';

/**
 * Names a Solution version as MetalK8s does, and the repository that its images are below: a `+` has no place in one.
 */
export function metalk8sId(name: string, version: string): string {
  return `${name}-${version.replaceAll('+', '_')}`;
}

/** The reference of the image in `images/<image>/<tag>/` of a Solution version. */
export function metalk8sReference(id: string, image: string, tag: string): string {
  return `${METALK8S_REGISTRY}/${id}/${image}:${tag}`;
}

/** An image as MetalK8s names it: a folder of a folder. */
export interface ViewName {
  readonly name: string;
  readonly tag: string;
}

/**
 * Names an image for MetalK8s, which knows no registries and no names of several parts: by its last name and its tag.
 * Undefined where it has no tag.
 */
export function viewName({ repository, tag }: Pick<Reference, 'repository' | 'tag'>): ViewName | undefined {
  return tag === undefined ? undefined : { name: repository.slice(repository.lastIndexOf('/') + 1), tag };
}
