import type { Bytes } from '../../../formats/bytes.ts';
import { codeOf, SolpackError } from '../../kernel/events/index.ts';
import { basicAuthorization, downloadFile, isLoopback, ProxyError } from '../../kernel/http/index.ts';
import type { Shared } from './client-kind.ts';
import type { RegistryOptions } from './options.ts';
import { repositoryAt } from './repository.ts';
import type { Registries } from './repository-kind.ts';
import { hostOf } from './repository-target.ts';
import { createShared } from './shared-state.ts';

/** Opens registries with `options`. Nothing is sent before a repository is used. */
export function openRegistries(options: RegistryOptions = {}): Registries {
  const insecure = new Set<string>();
  const shared = createShared(options, (host) => insecure.has(host));
  const schemes = new Map<string, Promise<'http' | 'https'>>();
  return {
    schemeOf: (registry, sentBy) => {
      const scheme = schemes.get(registry) ?? ask(shared, registry, sentBy);
      insecure.add(new URL(`https://${hostOf(registry)}/`).host);
      schemes.set(registry, scheme);
      return scheme;
    },
    open: (target) => {
      if (target.insecure) insecure.add(new URL(`${target.scheme}://${target.registry}/`).host);
      return repositoryAt(target, shared);
    },
    download: (url, sentBy) => downloadHere(url, sentBy, shared),
    close: () => shared.transport.close(),
    [Symbol.asyncDispose]: async () => shared.transport.close(),
  };
}

async function* downloadHere(url: URL, sentBy: URL | undefined, { options, transport, timing }: Shared): Bytes {
  if (url.protocol === 'http:' && !options.plainHttp && !isLoopback(url.hostname)) {
    throw new SolpackError('remote-error', url.href, 'is fetched without TLS', {
      hint: 'write https://, or allow it with --plain-http',
    });
  }
  const path = url.pathname.slice(1, Math.max(1, url.pathname.lastIndexOf('/')));
  const login = await options.credentials?.(url.host, path);
  const authorization =
    login && login.identityToken === undefined ? basicAuthorization(`${login.username}:${login.password}`) : undefined;
  const signal = options.signal ?? new AbortController().signal;
  yield* downloadFile(url, { transport, timing, authorization, signal, sentBy });
}

/**
 * Speaks TLS with a registry. It does not speak TLS only where it answers in plain text, or where nobody listens at the
 * port that is usual for TLS. What breaks off, as anybody on the way can apply, says nothing.
 */
async function ask({ transport, options }: Shared, registry: string, sentBy?: URL): Promise<'http' | 'https'> {
  const url = new URL(`https://${hostOf(registry)}/v2/`);
  try {
    (await transport.send({ method: 'GET', url, headers: {}, signal: options.signal, sentBy })).discard();
    return 'https';
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ProxyError) return 'https';
    const isPlain = error instanceof Error && /wrong version number|packet length too long/.test(error.message);
    return isPlain || (codeOf(error) === 'ECONNREFUSED' && url.port === '') ? 'http' : 'https';
  }
}
