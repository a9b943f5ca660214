import { byteOrder } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { isManifestType } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../errors.ts';
import type { Held, ServedContent, ServedRepository } from './content.ts';

/** A repository as it is served: what all archives hold of it. */
export interface CatalogueRepository {
  /** Tags in the order of their bytes. */
  readonly tags: ReadonlyMap<string, Held>;
  readonly content: ReadonlyMap<Digest, Held>;
}

/** Which repository a request means; `ambiguous` has the registries that know the bare name. */
export type Found =
  | { readonly repository: CatalogueRepository }
  | { readonly ambiguous: readonly string[] }
  | undefined;

/** Finds repositories by the names that container runtimes use for them. */
export interface Catalogue {
  /** `name` is the path of the request, `namespace` the `ns` of its query, which containerd sends to mirrors. */
  find(name: string, namespace: string | undefined): Found;
}

interface Merged {
  readonly registry: string;
  readonly tags: Map<string, Held>;
  readonly content: Map<Digest, Held>;
}

/** Joins what the archives offer. Throws `image-conflict` where two of them differ about one reference. */
export function createCatalogue(contents: readonly ServedContent[]): Catalogue {
  const full = new Map<string, Merged>();
  for (const archive of contents) {
    for (const served of archive.repositories) merge(full, archive, served);
  }
  const bare = new Map<string, string[]>();
  for (const [key, { registry }] of full) {
    const name = key.slice(registry.length + 1);
    bare.set(name, [...(bare.get(name) ?? []), registry]);
  }
  const sorted = new Map([...full].map(([key, value]) => [key, sortTags(value)]));
  const exact = (registry: string, name: string): Found => {
    const repository = sorted.get(keyOf(registry, name)) ?? sorted.get(keyOf(withPort(registry), name));
    return repository && { repository };
  };
  const prefixed = (name: string): { registry: string; rest: string } => {
    const slash = name.indexOf('/');
    return { registry: name.slice(0, Math.max(slash, 0)), rest: name.slice(slash + 1) };
  };
  return {
    find: (name, namespace) => {
      const { registry, rest } = prefixed(name);
      if (namespace !== undefined) {
        // Mirrors that are set up with a path as well name the registry twice.
        const twice = registry !== '' && canonical(registry) === canonical(namespace);
        return exact(namespace, name) ?? (twice ? exact(registry, rest) : undefined);
      }
      const named = exact(registry, rest);
      // What looks like a host is one: its images are never looked for under another registry.
      if (named || /[.:]/.test(registry) || registry === 'localhost') return named;
      const registries = bare.get(name) ?? [];
      if (registries.length > 1) return { ambiguous: [...registries].sort(byteOrder) };
      return registries[0] === undefined ? undefined : exact(registries[0], name);
    },
  };
}

function merge(full: Map<string, Merged>, archive: ServedContent, served: ServedRepository): void {
  const key = keyOf(served.registry, served.repository);
  const merged = full.get(key) ?? { registry: canonical(served.registry), tags: new Map(), content: new Map() };
  full.set(key, merged);
  for (const [tag, descriptor] of served.tags) {
    const other = merged.tags.get(tag);
    if (other && other.descriptor.digest !== descriptor.digest) {
      const reference = `${key}:${tag}`;
      throw new SolpackError(
        'image-conflict',
        reference,
        `${reference} is ${other.descriptor.digest} in ${other.archive.name}, but ${descriptor.digest} in ${archive.name}`,
        { hint: 'serve one of the two archives, or give the images different tags' },
      );
    }
    merged.tags.set(tag, other ?? { descriptor, archive });
  }
  for (const descriptor of [...served.content.values(), ...served.tags.values()]) {
    const known = merged.content.get(descriptor.digest);
    const better = !known || (isManifestType(descriptor.mediaType) && !isManifestType(known.descriptor.mediaType));
    if (better) merged.content.set(descriptor.digest, { descriptor, archive });
  }
}

function sortTags({ tags, content }: Merged): CatalogueRepository {
  return { tags: new Map([...tags].sort(([a], [b]) => byteOrder(a, b))), content };
}

function keyOf(registry: string, name: string): string {
  const host = canonical(registry);
  return host === 'docker.io' && !name.includes('/') ? `${host}/library/${name}` : `${host}/${name}`;
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
