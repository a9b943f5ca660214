import type { Reference } from '../oci/reference.ts';
import { z } from '../schema.ts';
import { componentKinds } from '../solution/component-kinds.ts';
import { matchesName } from './match.ts';

const namespace = z
  .string()
  .regex(/^[a-z0-9*-]{1,63}$/, 'has to be the name of a namespace, in which * matches any letters');

const groupKind = z
  .string()
  .regex(
    /^[A-Za-z0-9*]+(?:\.[a-z0-9.*-]+)?$/,
    'has to be a kind with its API group, such as ClusterRole.rbac.authorization.k8s.io, in which * matches any letters',
  );

const image = z
  .string()
  .regex(
    /^(?:localhost|[A-Za-z0-9-]*[.:*[][A-Za-z0-9.:*[\]-]*)\/[a-z0-9._/*-]+$/,
    'has to be REGISTRY/REPOSITORY in full, without tag and digest, in which * matches any letters',
  );

/** Accepts the limits that a rule sets to its Solutions, whoever signed them. An absent field limits nothing. */
export const boundsSchema = z.strictObject({
  components: z
    .array(z.enum(componentKinds))
    .optional()
    .describe('The allowed kinds of components; components.d needs plugin too. Left out: all.'),
  namespaces: z
    .array(namespace)
    .optional()
    .describe('The allowed namespaces of objects, and names of Namespaces; * matches any letters. Left out: all.'),
  clusterScoped: z
    .array(groupKind)
    .optional()
    .describe(
      'The allowed kinds outside of namespaces, as Kind.group, or Kind for the core group. Left out: none but the Namespaces of ' +
        '"namespaces" if that is set, otherwise all.',
    ),
  images: z
    .array(image)
    .optional()
    .describe(
      'Registries and repositories of images, as REGISTRY/REPOSITORY in full; * matches any letters. Left out: all.',
    ),
  moveTags: z
    .boolean()
    .optional()
    .meta({ description: 'Whether a push may move a tag to another digest.', default: true }),
});

/** What a rule allows its Solutions to do. */
export interface Bounds {
  readonly components?: readonly (typeof componentKinds)[number][] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly clusterScoped?: readonly string[] | undefined;
  readonly images?: readonly string[] | undefined;
  readonly moveTags?: boolean | undefined;
}

/**
 * Returns whether one of `patterns`, in which `*` stands for any letters, matches `name`; true if `patterns` is
 * undefined.
 */
export function isAllowed(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesName(pattern, name));
}

/**
 * Returns whether images of a repository are allowed. A `*` in the name of the registry never reaches into the
 * repository.
 */
export function isImageAllowed(
  { images }: Bounds,
  { registry, repository }: Pick<Reference, 'registry' | 'repository'>,
): boolean {
  if (images === undefined) return true;
  return images.some((pattern) => {
    const slash = pattern.indexOf('/');
    return matchesName(pattern.slice(0, slash), registry) && matchesName(pattern.slice(slash + 1), repository);
  });
}

/**
 * Returns whether objects of a kind outside of namespaces are allowed, by `Kind.group`. If namespaces are limited, a
 * Namespace is judged by its name, and other kinds are allowed only if they are listed, because most of them have
 * effects everywhere.
 */
export function isClusterScopedAllowed(
  { namespaces, clusterScoped }: Bounds,
  groupKind: string,
  name: string,
): boolean {
  if (groupKind === 'Namespace' && namespaces !== undefined) return isAllowed(namespaces, name);
  return isAllowed(clusterScoped ?? (namespaces && []), groupKind);
}
