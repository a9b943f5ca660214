import { METALK8S_REGISTRY } from '../../../formats/metalk8s/names.ts';

/** The repositories that exist, by key: `host/repository`, or the bare name where the repository has no host. */
export interface Names {
  has(key: string): boolean;
  /** Returns the hosts that have a repository of this bare name. */
  registries(bare: string): readonly string[];
  /** Returns the keys of all repositories from which something can be pulled. */
  keys(): readonly string[];
}

/**
 * What a name may stand for: the repository whose key it spells out, and the hosts that have a repository of this bare
 * name.
 */
export interface NameMatch {
  readonly named: string | undefined;
  readonly hosts: readonly string[];
}

/**
 * Finds repositories by the names that container runtimes use for them. `name` is the path of the request. `namespace`
 * is the `ns` of its query, which containerd sends to mirrors (distribution-spec "Registry Proxying"). Nodes of
 * MetalK8s ask for `clock-1.0.0/server` without it, whose first part is a Solution and its version.
 */
export function findNames(names: Names, name: string, namespace: string | undefined): NameMatch {
  const { registry, rest } = split(name);
  const first = (...keys: string[]): string | undefined => keys.find((candidate) => names.has(candidate));
  if (namespace === '') return { named: undefined, hosts: [] };
  if (namespace !== undefined) {
    // A mirror that is configured with a path names the registry twice.
    const twice = registry !== '' && canonical(registry) === canonical(namespace);
    return {
      named: first(repositoryKey(namespace, name), ...(twice ? [repositoryKey(registry, rest)] : [])),
      hosts: [],
    };
  }
  const named = first(repositoryKey(registry, rest), repositoryKey(withPort(registry), rest));
  // A first part that looks like a host is one: such images are never looked for under another registry.
  const hosts = names.registries(name);
  return { named, hosts: isHost(registry) ? hosts.filter((host) => host === METALK8S_REGISTRY) : hosts };
}

/** The key of the repository that a name means. `ambiguous` has the hosts where several know the bare name. */
export type ResolvedName = { readonly key: string } | { readonly ambiguous: readonly string[] } | undefined;

/** Finds the one repository that a name means. */
export function resolveName(names: Names, name: string, namespace: string | undefined): ResolvedName {
  const { named, hosts } = findNames(names, name, namespace);
  if (named !== undefined) return { key: named };
  if (hosts.length > 1) return { ambiguous: [...hosts].sort() };
  return hosts[0] === undefined ? undefined : { key: repositoryKey(hosts[0], name) };
}

/** Returns the key of the repository `name` at `registry`; '' stands for this registry itself. */
export function repositoryKey(registry: string, name: string): string {
  const host = canonical(registry);
  if (host === '') return name;
  return host === 'docker.io' && !name.includes('/') ? `${host}/library/${name}` : `${host}/${name}`;
}

/**
 * Returns the key of the repository that a push to `name` writes to. The host is `namespace` where that is given;
 * otherwise the first part of the name, where it looks like one.
 */
export function pushedKey(name: string, namespace?: string): string {
  if (namespace !== undefined) return repositoryKey(withPort(namespace), name);
  const { registry, rest } = split(name);
  return isHost(registry) ? repositoryKey(withPort(registry), rest) : name;
}

/** Splits a key into host and bare name; the host is '' where the repository has none. */
export function partsOf(key: string): { readonly registry: string; readonly bare: string } {
  const { registry, rest } = split(key);
  return isHost(registry) ? { registry, bare: rest } : { registry: '', bare: key };
}

function split(name: string): { registry: string; rest: string } {
  const slash = name.indexOf('/');
  return { registry: name.slice(0, Math.max(slash, 0)), rest: name.slice(slash + 1) };
}

function isHost(part: string): boolean {
  return /[.:]|__[0-9]{1,5}$/.test(part) || /^localhost(_[0-9]{1,5})?$/.test(part);
}

/** Writes a host in lower case, and Docker Hub by its one name. */
function canonical(registry: string): string {
  const host = registry.toLowerCase();
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host;
}

/**
 * Turns `host.example_5000` into `host.example:5000`: names of repositories cannot hold a colon. A host without a dot
 * has `__` there, because `host_5000` may be a part of a name.
 */
function withPort(registry: string): string {
  return registry.replace(/__?([0-9]{1,5})$/, ':$1');
}
