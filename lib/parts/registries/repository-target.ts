import { isRepository, type Reference } from '../../../formats/oci/reference.ts';
import { trimmed } from '../../../formats/trim.ts';
import { SolpackError } from '../../kernel/events/index.ts';

/** A repository of a registry, and how to reach it. */
export interface RepositoryTarget {
  readonly scheme: 'http' | 'https';
  /** Host and, if it is not the scheme's own, port. */
  readonly registry: string;
  /** Name in the registry, without the host. */
  readonly repository: string;
  /** Whether its registry may show any certificate. */
  readonly insecure?: boolean;
  /** The server that has named it, if it must lead to no place that only this machine should reach. */
  readonly sentBy?: URL | undefined;
}

/**
 * Returns where an image goes in a registry that stands in for its own: the reference's host is left away and the path
 * of `url` (`http://host:5000/prefix`) is put before the repository, as the mirror settings of containerd and CRI-O
 * expect it. Names of Docker Hub keep their `library/`. Throws `usage-invalid`.
 */
export function targetFor(url: string, reference: Reference): RepositoryTarget {
  const { scheme, registry, prefix } = parseUrl(url);
  const hub = reference.registry === 'docker.io' && !reference.repository.includes('/');
  const own = hub ? `library/${reference.repository}` : reference.repository;
  const repository = prefix === '' ? own : `${prefix}/${own}`;
  if (!isRepository(repository)) {
    throw new SolpackError('usage-invalid', url, `${repository} is not a repository name`, {
      hint: 'the path of the URL has to be lower-case names between /, and not too long',
    });
  }
  return { scheme, registry, repository };
}

function parseUrl(value: string): { scheme: 'http' | 'https'; registry: string; prefix: string } {
  const bad = (why: string): SolpackError =>
    new SolpackError('usage-invalid', value, `${value} is not the URL of a registry: ${why}`, {
      hint: 'write http://HOST[:PORT][/PREFIX] or https://HOST[:PORT][/PREFIX]',
    });
  if (!URL.canParse(value)) throw bad('it cannot be read as a URL');
  const url = new URL(value);
  const scheme = url.protocol === 'http:' ? 'http' : url.protocol === 'https:' ? 'https' : undefined;
  if (scheme === undefined) throw bad('it has to begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw bad('it must not hold a user or a password');
  if (url.search !== '' || url.hash !== '') throw bad('it must not have a query or a fragment');
  return { scheme, registry: url.host, prefix: trimmed(url.pathname, '/') };
}

/** Returns the host that a registry is reached at: Docker Hub's name is not the name of its server. */
export function hostOf(registry: string): string {
  return registry === 'docker.io' ? 'registry-1.docker.io' : registry;
}
