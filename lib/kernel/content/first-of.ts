import type { Bytes } from '../../../formats/bytes.ts';
import { isDigest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { NamedSource } from './model.ts';

/** One of several sources that should have the same content. */
export interface SourceCandidate {
  /** What it is asked for: everything, what is named by a digest, or what is named by a tag. */
  readonly pulls: 'all' | 'digest-only' | 'tag-only';
  /** Opens it. It is called once, when the candidate is first asked for something. */
  open(): Promise<NamedSource>;
}

/**
 * Judges a failure of a candidate that is not the last one: whether another one is asked in its place `once`, or from
 * then on `always`. Undefined where the failure is not the candidate's own: then it is thrown.
 */
export type PassOver = (error: unknown) => 'once' | 'always' | undefined;

/**
 * Makes one source of several: each thing is read from the first of `candidates` that has it. The last one is the
 * original: its answer counts, and its failures are thrown. Content that breaks off at one candidate continues at the
 * next one; whoever reads it checks the digest of the whole. Content is read as a stream, also where a candidate could
 * `locate` it.
 */
export function firstOf(name: string, candidates: readonly SourceCandidate[], passOver: PassOver): NamedSource {
  const opened = new Map<SourceCandidate, Promise<NamedSource>>();
  const dropped = new Set<SourceCandidate>();
  const sourceOf = (candidate: SourceCandidate): Promise<NamedSource> => {
    const source = opened.get(candidate) ?? candidate.open();
    opened.set(candidate, source);
    return source;
  };
  const askedFor = (named: 'digest-only' | 'tag-only'): SourceCandidate[] =>
    candidates.filter((candidate) => {
      if (candidate === candidates.at(-1)) return true;
      return !dropped.has(candidate) && (candidate.pulls === 'all' || candidate.pulls === named);
    });
  const goOnAfter = (candidate: SourceCandidate, error: unknown): void => {
    const passed = candidate === candidates.at(-1) ? undefined : passOver(error);
    if (passed === undefined) throw error;
    if (passed === 'always') dropped.add(candidate);
  };
  /** Returns the first answer that a candidate has. */
  const firstAnswer = async <T>(
    named: 'digest-only' | 'tag-only',
    ask: (source: NamedSource) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    for (const candidate of askedFor(named)) {
      try {
        const answer = await ask(await sourceOf(candidate));
        if (answer !== undefined) return answer;
      } catch (error) {
        goOnAfter(candidate, error);
      }
    }
    return undefined;
  };
  return {
    name,
    resolve: (wanted, signal) => {
      const named = isDigest(wanted.slice(wanted.lastIndexOf('@') + 1)) ? 'digest-only' : 'tag-only';
      return firstAnswer(named, (source) => source.resolve(wanted, signal));
    },
    referrers: async (subject, artifactType, signal) => {
      const found = await firstAnswer('digest-only', async (source) => {
        const listed = await source.referrers?.(subject, artifactType, signal);
        // A mirror need not know them.
        return listed?.length ? listed : undefined;
      });
      return found ?? [];
    },
    open: async function* (descriptor: Descriptor, { offset = 0, ...options } = {}): Bytes {
      let at = offset;
      for (const candidate of askedFor('digest-only')) {
        try {
          const source = await sourceOf(candidate);
          for await (const chunk of source.open(descriptor, { ...options, offset: at })) {
            at += chunk.length;
            yield chunk;
          }
          return;
        } catch (error) {
          goOnAfter(candidate, error);
        }
      }
    },
    close: async () => {
      for (const source of opened.values()) await (await source.catch(() => undefined))?.close();
    },
  };
}
