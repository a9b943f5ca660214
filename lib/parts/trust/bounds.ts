import { FormatError } from '../../../formats/error.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import { type Bounds, isAllowed, isClusterScopedAllowed, isImageAllowed } from '../../../formats/trust/bounds.ts';
import type { Finding, LookedUp } from '../../kernel/content/index.ts';

/** Something that a Solution may not do. */
type Breach = Finding & { readonly code: 'policy-bounds' };

/** An object that a Solution brings, as a cluster takes it. */
export interface BoundObject {
  /** `Kind.group`, or `Kind` for the core group. */
  readonly groupKind: string;
  readonly name: string;
  /** Undefined where it stands outside of namespaces. */
  readonly namespace: string | undefined;
}

/** What the root reports how far a Solution goes. */
export interface SolutionReach {
  readonly components: readonly Pick<SolutionMetadata['components'][number], 'name' | 'kind'>[];
  /** References of its images. */
  readonly images: readonly string[];
}

/** How a Solution goes beyond its bounds by what its root says; pure, and so known before any of it is run. */
export function breachesOfRoot({ components, images }: SolutionReach, bounds: Bounds): Breach[] {
  return [
    ...components
      .filter(({ kind }) => !isKindAllowed(kind, bounds))
      .map(({ name, kind }) => breach(`component ${name}`, `is of the kind ${kind}`)),
    ...images.flatMap((reference) => breachesOfImage(reference, bounds)),
  ];
}

/** A folder of components may hold plugins, whatever else is said of it: it takes both kinds to allow one. */
function isKindAllowed(kind: SolutionReach['components'][number]['kind'], { components }: Bounds): boolean {
  if (components === undefined) return true;
  return components.includes(kind) && (kind !== 'components.d' || components.includes('plugin'));
}

/** How an image that an object names goes beyond the bounds of its Solution; none where it does not. */
export function breachesOfImage(reference: string, bounds: Bounds): Breach[] {
  return isOfAllowed(reference, bounds) ? [] : [breach(`image ${reference}`, 'is of a repository')];
}

/** What is not a name of an image, whatever its author had in mind, is of no repository that could be allowed. */
function isOfAllowed(reference: string, bounds: Bounds): boolean {
  try {
    return bounds.images === undefined || isImageAllowed(bounds, parseReference(reference));
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** How an object goes beyond the bounds of its Solution; none where it does not. */
export function breachesOfObject({ groupKind, name, namespace }: BoundObject, bounds: Bounds): Breach[] {
  const kind = groupKind.replace(/\..*/, '');
  if (namespace === undefined) {
    if (isClusterScopedAllowed(bounds, groupKind, name)) return [];
    return [breach(`${kind} ${name}`, groupKind === 'Namespace' ? 'is a namespace' : `is of the kind ${groupKind}`)];
  }
  if (isAllowed(bounds.namespaces, namespace)) return [];
  return [breach(`${kind} ${namespace}/${name}`, `is in the namespace ${namespace}`)];
}

/**
 * How a chart goes beyond the bounds of its Solution by what it looks up; undefined where it does not. What Kubernetes
 * itself has outside of namespaces holds no secrets, and may be looked up whatever it is.
 */
export function breachOfLookup({ groupKind, namespaced, namespace }: LookedUp, bounds: Bounds): Breach | undefined {
  if (bounds.namespaces === undefined) return undefined;
  const what = namespaced
    ? `is in ${namespace === undefined ? 'all namespaces' : `the namespace ${namespace}`}`
    : undefined;
  if (what !== undefined) {
    const isWithin =
      namespace === undefined ? bounds.namespaces.includes('*') : isAllowed(bounds.namespaces, namespace);
    return isWithin ? undefined : breach(groupKind, what);
  }
  if (isOfKubernetes(groupKind) || isAllowed(bounds.clusterScoped ?? [], groupKind)) return undefined;
  return breach(groupKind, `is of the kind ${groupKind}`);
}

/**
 * Whether a kind is of a group that only Kubernetes itself has: one without a dot, or below `k8s.io` (API conventions,
 * "API groups").
 */
function isOfKubernetes(groupKind: string): boolean {
  const group = groupKind.split('.').slice(1).join('.');
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** A tag of a registry that would stand for another image, where that is not allowed. */
export function breachOfTag(tag: string, from: string, to: string): Breach {
  return { code: 'policy-bounds', subject: `tag ${tag}`, message: `would be moved from ${from} to ${to}` };
}

function breach(subject: string, what: string): Breach {
  return { code: 'policy-bounds', subject, message: `${what} that the policy does not allow` };
}
