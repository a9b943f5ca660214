import type { Reference } from '../oci/reference.ts';
import { z } from '../schema.ts';
import { componentKinds } from '../solution/definition.ts';
import { matchesName } from './match.ts';

const namespace = z
  .string()
  .regex(/^[a-z0-9*-]{1,63}$/, 'has to be the name of a namespace, in which * stands for any letters');

const groupKind = z
  .string()
  .regex(
    /^[A-Za-z0-9*]+(?:\.[a-z0-9.*-]+)?$/,
    'has to be a kind with its API group, such as ClusterRole.rbac.authorization.k8s.io, in which * stands for any letters',
  );

const image = z
  .string()
  .regex(
    /^(?:localhost|[A-Za-z0-9-]*[.:*[][A-Za-z0-9.:*[\]-]*)\/[a-z0-9._/*-]+$/,
    'has to be REGISTRY/REPOSITORY in full, without tag and digest, in which * stands for any letters',
  );

/** How far Solutions of a rule may go, whoever has signed them. A field that is left out limits nothing. */
export const boundsSchema = z.strictObject({
  components: z.array(z.enum(componentKinds)).optional(),
  namespaces: z.array(namespace).optional(),
  clusterScoped: z.array(groupKind).optional(),
  images: z.array(image).optional(),
  moveTags: z.boolean().optional(),
});

/** What a policy allows to Solutions of a rule. */
export type Bounds = z.infer<typeof boundsSchema>;

/** Whether one of `patterns` is `name`, in which `*` stands for any letters; true where there are none to heed. */
export function isAllowed(patterns: readonly string[] | undefined, name: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesName(pattern, name));
}

/** Whether images of a repository are allowed. A `*` of a registry's name ends with that. */
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
 * Whether objects of a kind outside of namespaces are allowed, by `Kind.group`. Where namespaces are limited, a Namespace
 * counts as what it is named, and of all other kinds only those are allowed that are listed: most reach everywhere.
 */
export function isClusterScopedAllowed(
  { namespaces, clusterScoped }: Bounds,
  groupKind: string,
  name: string,
): boolean {
  if (groupKind === 'Namespace' && namespaces !== undefined) return isAllowed(namespaces, name);
  return isAllowed(clusterScoped ?? (namespaces && []), groupKind);
}
