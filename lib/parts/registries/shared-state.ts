import type { Digest } from '../../../formats/digest.ts';
import { createTransport, type HttpTiming, usualTiming } from '../../kernel/http/index.ts';
import type { KnownBlobs, Shared } from './client-kind.ts';
import type { RegistryOptions } from './options.ts';
import { tokenCache } from './token-cache.ts';

/** Makes what repositories share, by the options that hold for all of them. Nothing is sent yet. */
export function createShared(options: RegistryOptions, insecure: (host: string) => boolean): Shared {
  const timing: HttpTiming = { ...usualTiming, ...options.timing };
  const tls = async (host: string): Promise<object> => {
    const found = await options.certificates?.(host);
    return { ...found, ...(options.insecure || insecure(host) ? { insecure: true } : {}) };
  };
  const last = new Map<string, Promise<unknown>>();
  return {
    options,
    timing,
    transport: createTransport(timing, { ca: options.ca, tls, proxy: options.proxy }),
    tokens: tokenCache(),
    known: knownBlobs(),
    serially: (name, work) => {
      const next = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(name, next);
      const forget = (): void => void (last.get(name) === next && last.delete(name));
      next.then(forget, forget);
      return next;
    },
  };
}

function knownBlobs(): KnownBlobs {
  const places = new Map<string, Set<string>>();
  const key = (registry: string, digest: Digest): string => `${registry} ${digest}`;
  return {
    add: (registry, repository, digest) => {
      const known = places.get(key(registry, digest)) ?? new Set();
      places.set(key(registry, digest), known.add(repository));
    },
    elsewhere: (registry, repository, digest) =>
      [...(places.get(key(registry, digest)) ?? [])].find((other) => other !== repository),
  };
}
