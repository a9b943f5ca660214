import type { Bytes } from '../../formats/bytes.ts';
import { isDigest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import { SolpackError } from '../errors.ts';
import type { NamedSource } from '../model.ts';

/** One of several places that should have the same content. */
export interface Copy {
  readonly pulls: 'all' | 'digest-only' | 'tag-only';
  open(): Promise<NamedSource>;
}

/**
 * Reads from the first of `copies` that has what is wanted; the last one is the original, and what it answers counts. A
 * place that cannot be reached is not asked again. What breaks off at one place goes on at the next: the digest, which
 * whoever reads it checks, is the same. `onSkip` is told why a copy was passed over.
 */
export function firstOf(
  name: string,
  copies: readonly Copy[],
  onSkip: (message: string) => void = () => undefined,
): NamedSource {
  const opened = new Map<Copy, Promise<NamedSource>>();
  const dead = new Set<Copy>();
  const sourceOf = (copy: Copy): Promise<NamedSource> => {
    const source = opened.get(copy) ?? copy.open();
    opened.set(copy, source);
    return source;
  };
  const candidates = (kind: 'digest-only' | 'tag-only'): Copy[] =>
    copies.filter(
      (copy, at) => at === copies.length - 1 || (!dead.has(copy) && (copy.pulls === 'all' || copy.pulls === kind)),
    );
  /** Passes over a copy after a failure that is its own; any other one is thrown. */
  const passOver = (copy: Copy, error: unknown): void => {
    const own = error instanceof SolpackError && error.code.startsWith('registry-') && copy !== copies.at(-1);
    if (!own) throw error;
    if (error.code === 'registry-unreachable') dead.add(copy);
    onSkip(`${error.subject}: ${error.message}`);
  };
  const openFrom = async function* (descriptor: Descriptor, offset: number, signal?: AbortSignal): Bytes {
    let at = offset;
    for (const copy of candidates('digest-only')) {
      try {
        const source = await sourceOf(copy);
        for await (const chunk of source.openFrom?.(descriptor, at, signal) ?? source.open(descriptor, signal)) {
          at += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        passOver(copy, error);
      }
    }
  };
  return {
    name,
    resolve: async (wanted, signal) => {
      const kind = isDigest(wanted.slice(wanted.lastIndexOf('@') + 1)) ? 'digest-only' : 'tag-only';
      for (const copy of candidates(kind)) {
        try {
          const found = await (await sourceOf(copy)).resolve(wanted, signal);
          if (found) return found;
        } catch (error) {
          passOver(copy, error);
        }
      }
      return undefined;
    },
    referrers: async (subject, artifactType, signal) => {
      // A mirror need not have been told of them.
      for (const copy of candidates('digest-only')) {
        try {
          const found = await (await sourceOf(copy)).referrers?.(subject, artifactType, signal);
          if (found && found.length > 0) return found;
        } catch (error) {
          passOver(copy, error);
        }
      }
      return [];
    },
    open: (descriptor, signal) => openFrom(descriptor, 0, signal),
    openFrom,
    close: async () => {
      for (const source of opened.values()) await (await source.catch(() => undefined))?.close();
    },
  };
}
