import { type Reference, readReference } from '../oci/reference.ts';

/** Decides whether an archive holds the image that a reference names. */
export type IsHeld = (reference: string) => boolean;

/** What the place of a string says about it. */
export interface StringPlace {
  /** Whether its field, variable or flag is called an image. */
  readonly named: boolean;
  /** Whether it is the image of something like a container, so that it needs neither host nor tag. */
  readonly container?: boolean;
}

/** Hosts where people keep sources, not images: what looks like a reference there is an import path or a link. */
const websites = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'golang.org', 'pkg.go.dev']);

/** Effects of taints, which stand where references have a tag (Kubernetes API, `Taint`). */
const effects = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute']);

/**
 * Decides whether a whole string names an image: what the archive holds, what has a host and a tag or a digest, and,
 * where its place says that it is an image, also what has no host.
 */
export function isImageName(value: string, place: StringPlace, isHeld: IsHeld): boolean {
  if (value.length > 512 || !/^[A-Za-z0-9[][\w.\-/:@[\]]*$/.test(value)) return false;
  const reference = readReference(value);
  if (reference === undefined) return false;
  const settled = reference.tag !== undefined || reference.digest !== undefined;
  if (!settled && !place.container && !place.named) return false;
  if (isHeld(value)) return true;
  if (place.container) return true;
  if (!settled || !isPlausible(reference)) return false;
  return namesHost(value) ? isPlausibleHost(reference) : place.named;
}

/** Decides whether the name of a field, of a variable or of a flag says that it is about an image. */
export function isNamedImage(name: string): boolean {
  return /image/i.test(name);
}

/** Whether a reference begins with a host, which has a dot or a port, or is `localhost`. */
export function namesHost(value: string): boolean {
  const slash = value.indexOf('/');
  const first = slash < 0 ? '' : value.slice(0, slash);
  return /[.:[]/.test(first) || first === 'localhost';
}

/**
 * Whether the host of a reference can be one of a registry: an address, a name with a port, a name that ends as domains
 * do.
 */
function isPlausibleHost({ registry, repository }: Reference): boolean {
  if (registry !== registry.toLowerCase() || websites.has(registry) || registry.endsWith('.kubernetes.io'))
    return false;
  if (registry === 'kubernetes.io' || registry === 'k8s.io') return false;
  if (/^\d+(?:\.\d+){3}$/.test(registry)) return !/^\d+$/.test(repository);
  return registry === 'localhost' || /[:[]/.test(registry) || /\.[a-z][a-z0-9-]*[a-z0-9]$/.test(registry);
}

/** Whether the rest of a reference is none of the other things that have slashes and colons. */
function isPlausible({ repository, tag }: Reference): boolean {
  if (tag !== undefined && effects.has(tag)) return false;
  if (/^v\d+(?:alpha\d+|beta\d+)?$/.test(repository)) return false;
  return !(/\.(?:go|py|js|ts|java|rs|rb|c|cc|cpp|h|sh)$/.test(repository) && /^\d+$/.test(tag ?? ''));
}
