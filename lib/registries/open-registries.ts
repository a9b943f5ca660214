import { ProxyError } from '../http/transport-errors.ts';
import { codeOf } from '../system-errors.ts';
import type { RegistryOptions } from './options.ts';
import { type Repository, repositoryAt } from './repository.ts';
import { hostOf, type RepositoryTarget } from './repository-target.ts';
import { createShared, type Shared } from './shared-state.ts';

/** Repositories that share connections, tokens, and what is known of each other. */
export interface Registries {
  /** Opens a repository, which is good for as long as these are. Throws `usage-invalid`. */
  open(target: RepositoryTarget): Repository;
  /** Tells whether a registry that needs no trusted certificate speaks TLS; asked once. */
  schemeOf(registry: string): Promise<'http' | 'https'>;
  /** Ends every connection. */
  close(): void;
}

/** Opens registries that are talked to by `options`. Nothing is sent before a repository is used. */
export function openRegistries(options: RegistryOptions = {}): Registries {
  const insecure = new Set<string>();
  const shared = createShared(options, (host) => insecure.has(host));
  const schemes = new Map<string, Promise<'http' | 'https'>>();
  return {
    schemeOf: (registry) => {
      const scheme = schemes.get(registry) ?? ask(shared, registry);
      insecure.add(new URL(`https://${hostOf(registry)}/`).host);
      schemes.set(registry, scheme);
      return scheme;
    },
    open: (target) => {
      if (target.insecure) insecure.add(new URL(`${target.scheme}://${target.registry}/`).host);
      return repositoryAt(target, shared);
    },
    close: () => shared.transport.close(),
  };
}

/**
 * Speaks TLS with a registry. It does not speak TLS only where it answers in plain text, or where nobody listens at the
 * port that is usual for TLS. What breaks off, as anybody on the way can bring about, says nothing.
 */
async function ask({ transport, options }: Shared, registry: string): Promise<'http' | 'https'> {
  const url = new URL(`https://${hostOf(registry)}/v2/`);
  try {
    (await transport.send({ method: 'GET', url, headers: {}, signal: options.signal })).discard();
    return 'https';
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ProxyError) return 'https';
    const isPlain = error instanceof Error && /wrong version number|packet length too long/.test(error.message);
    return isPlain || (codeOf(error) === 'ECONNREFUSED' && url.port === '') ? 'http' : 'https';
  }
}
