import { Range, satisfies } from 'semver';
import { knownMinors } from '../kubernetes/minors.ts';
import { formedText, type z } from '../schema.ts';

/** Tells in messages what a range of Kubernetes versions has to look like. */
export const kubernetesRangeWords = 'has to be a SemVer range of Kubernetes versions, such as ">=1.29 <1.36"';

/** The oldest minor of Kubernetes 1 that a range is spread over. */
const OLDEST = 16;

/** How many patches of a minor are tried; none has ever had as many. */
const PATCHES = 100;

/** Returns whether `text` is a SemVer range in which some version of Kubernetes lies. */
export function isKubernetesRange(text: string): boolean {
  return text.trim() !== '' && rangeOf(text) !== undefined && kubernetesVersions(text).length > 0;
}

/** The form of such a range, as far as it goes: its letters, of which one stands for a version. */
const FORM = /^[\sA-WYZa-wyz.+<>=~^-]*[0-9xX*|][\s0-9A-Za-z.*+|<>=~^-]*$/;

/** Accepts what `isKubernetesRange` does. */
export const kubernetesRangeSchema: z.ZodString = formedText(FORM, kubernetesRangeWords, isKubernetesRange);

/**
 * Returns whether a version as an API server gives it, such as `v1.29.3-eks-036c24b`, lies in `range`. What follows the
 * patch names a distributor's build, and no pre-release: it does not count (SemVer 2.0.0 §9 aside).
 */
export function kubernetesSatisfies(version: string, range: string): boolean {
  const [, plain] = /^v?(\d{1,5}\.\d{1,5}\.\d{1,5})/.exec(version) ?? [];
  const parsed = rangeOf(range);
  return plain !== undefined && parsed !== undefined && satisfies(plain, parsed);
}

/**
 * Lists the versions that stand for a range, ascending: of each minor that it reaches the lowest patch in it, such as
 * `1.29.0`. Of minors above the newest known one, only the lowest in the range counts, and that where there is no
 * other.
 */
export function kubernetesVersions(range: string): string[] {
  const parsed = rangeOf(range);
  if (parsed === undefined) return [];
  const lowest = (minor: number): string[] => {
    for (let patch = 0; patch < PATCHES; patch += 1) {
      const version = `1.${minor}.${patch}`;
      if (satisfies(version, parsed)) return [version];
    }
    return [];
  };
  const { newest } = knownMinors;
  const known = Array.from({ length: newest - OLDEST + 1 }, (_, at) => OLDEST + at).flatMap(lowest);
  if (known.length > 0) return known;
  for (let minor = newest + 1; minor < PATCHES; minor += 1) {
    const [later] = lowest(minor);
    if (later !== undefined) return [later];
  }
  return [];
}

function rangeOf(text: string): Range | undefined {
  try {
    return new Range(text);
  } catch {
    return undefined;
  }
}
