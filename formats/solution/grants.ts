import { type Reference, readReference } from '../oci/reference.ts';

/** What a document from a cluster may name, as the operator of the command allows it. */
export interface Grants {
  /** Absolute paths of folders: it may name what is below them. */
  readonly folders: readonly string[];
  /** Names of variables of the environment; `SITE_*` stands for all that begin with `SITE_`. */
  readonly variables: readonly string[];
  /** It may name these addresses, and what is below them. */
  readonly addresses: readonly URL[];
  /** `HOST`, or `HOST/REPOSITORY`: it may name that repository, and what is below it. */
  readonly registries: readonly string[];
  /** Absolute paths of files and folders that it may not name in any case, wherever they are. */
  readonly withheld: readonly string[];
}

/**
 * Folders in which no document from a cluster has any business: what the kernel reports processes and of the machine,
 * and where kubelet puts the accounts of Pods.
 */
const closed: readonly string[] = ['/proc', '/sys', '/run/secrets', '/var/run/secrets'];

/** Returns whether an absolute, normalised path is that of a folder, or is below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Returns whether an absolute, normalised path may not be named whatever was allowed. */
export function isClosed(path: string): boolean {
  return closed.some((folder) => isAtOrBelow(path, folder));
}

/**
 * Returns the innermost folder of `grants` that an absolute, normalised path is in; undefined where it is in none, or
 * is closed.
 */
export function grantedFolder({ folders }: Pick<Grants, 'folders'>, path: string): string | undefined {
  if (isClosed(path)) return undefined;
  return folders.filter((folder) => isAtOrBelow(path, folder)).sort((a, b) => b.length - a.length)[0];
}

/** Returns whether a document may name a variable. */
export function isGrantedVariable({ variables }: Pick<Grants, 'variables'>, name: string): boolean {
  return variables.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/**
 * Returns whether a document may name an address: one of the same origin (RFC 6454), at or below a path that is
 * allowed.
 */
export function isGrantedAddress({ addresses }: Pick<Grants, 'addresses'>, url: URL): boolean {
  return addresses.some(({ origin, pathname }) => {
    if (origin !== url.origin) return false;
    if (pathname === '/') return true;
    // A server may take an encoded slash for one, and go up from there.
    return !/%(?:2f|5c)/i.test(url.pathname) && isAtOrBelow(url.pathname, pathname);
  });
}

/** Returns whether a document may name a repository of a registry. */
export function isGrantedRepository(
  { registries }: Pick<Grants, 'registries'>,
  { registry, repository }: Pick<Reference, 'registry' | 'repository'>,
): boolean {
  return registries.some((one) => {
    const slash = one.indexOf('/');
    const [host, path] = slash < 0 ? [one, undefined] : [one.slice(0, slash), one.slice(slash + 1)];
    return host.toLowerCase() === registry.toLowerCase() && (path === undefined || isAtOrBelow(repository, path));
  });
}

/** Reads `HOST[:PORT]` or `HOST[:PORT]/REPOSITORY`; undefined for what is neither. */
export function readRegistryGrant(value: string): string | undefined {
  const slash = value.indexOf('/');
  const host = slash < 0 ? value : value.slice(0, slash);
  const read = readReference(`${host}/${slash < 0 ? 'any/repository' : value.slice(slash + 1)}`);
  if (read === undefined || read.tag !== undefined || read.digest !== undefined) return undefined;
  // Without a dot or a port it would be a part of the name of a repository of Docker Hub.
  if (read.registry === 'docker.io' && !/[.]/.test(host)) return undefined;
  return slash < 0 ? read.registry : `${read.registry}/${read.repository}`;
}

/**
 * Reads an address that may be named with all that is below it; undefined for what is none, or says more than a place.
 */
export function readAddressGrant(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '' ? url : undefined;
}
