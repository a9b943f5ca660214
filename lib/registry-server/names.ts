/** Which repositories there are, by key: `host/repository`, or the bare name of one that is nobody else's. */
export interface Names {
  has(key: string): boolean;
  /** The hosts that have a repository of this bare name. */
  registries(bare: string): readonly string[];
}

/** How a name is known: the key that it spells out, and the hosts that have a repository of this bare name. */
export interface NameMatch {
  readonly named: string | undefined;
  readonly hosts: readonly string[];
}

/**
 * Finds repositories by the names that container runtimes use for them. `name` is the path of the request, `namespace` the
 * `ns` of its query, which containerd sends to mirrors (distribution-spec "Registry Proxying").
 */
export function findNames(names: Names, name: string, namespace: string | undefined): NameMatch {
  const { registry, rest } = split(name);
  const first = (...keys: string[]): string | undefined => keys.find((candidate) => names.has(candidate));
  if (namespace === '') return { named: undefined, hosts: [] };
  if (namespace !== undefined) {
    // Mirrors that are set up with a path as well name the registry twice.
    const twice = registry !== '' && canonical(registry) === canonical(namespace);
    return {
      named: first(repositoryKey(namespace, name), ...(twice ? [repositoryKey(registry, rest)] : [])),
      hosts: [],
    };
  }
  const named = first(repositoryKey(registry, rest), repositoryKey(withPort(registry), rest));
  // What looks like a host is one: its images are never looked for under another registry.
  return { named, hosts: isHost(registry) ? [] : names.registries(name) };
}

/** The one repository that a name means; `ambiguous` has the hosts that know the bare name. */
export type ResolvedName = { readonly key: string } | { readonly ambiguous: readonly string[] } | undefined;

/** The repository of these that a name means. */
export function resolveName(names: Names, name: string, namespace: string | undefined): ResolvedName {
  const { named, hosts } = findNames(names, name, namespace);
  if (named !== undefined) return { key: named };
  if (hosts.length > 1) return { ambiguous: [...hosts].sort() };
  return hosts[0] === undefined ? undefined : { key: repositoryKey(hosts[0], name) };
}

/** The key of the repository `name` at `registry`; '' stands for this registry itself. */
export function repositoryKey(registry: string, name: string): string {
  const host = canonical(registry);
  if (host === '') return name;
  return host === 'docker.io' && !name.includes('/') ? `${host}/library/${name}` : `${host}/${name}`;
}

/**
 * The key that a push to `name` makes: the first part is a host only where it looks like one. With a `namespace` that is
 * the host.
 */
export function pushedKey(name: string, namespace?: string): string {
  if (namespace !== undefined) return repositoryKey(withPort(namespace), name);
  const { registry, rest } = split(name);
  return isHost(registry) ? repositoryKey(withPort(registry), rest) : name;
}

/** Host and bare name of a key; the host is '' where the repository is nobody else's. */
export function partsOf(key: string): { readonly registry: string; readonly bare: string } {
  const { registry, rest } = split(key);
  return isHost(registry) ? { registry, bare: rest } : { registry: '', bare: key };
}

function split(name: string): { registry: string; rest: string } {
  const slash = name.indexOf('/');
  return { registry: name.slice(0, Math.max(slash, 0)), rest: name.slice(slash + 1) };
}

function isHost(part: string): boolean {
  return /[.:]/.test(part) || /^localhost(_[0-9]{1,5})?$/.test(part);
}

/** Hosts compare without case, and Docker Hub has one name. */
function canonical(registry: string): string {
  const host = registry.toLowerCase();
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host;
}

/** Repository names cannot hold a colon, so that `host_5000` stands for `host:5000`. */
function withPort(registry: string): string {
  return registry.replace(/_([0-9]{1,5})$/, ':$1');
}
