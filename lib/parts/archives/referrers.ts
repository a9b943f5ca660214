import { type Digest, isDigest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { isTag } from '../../../formats/oci/reference.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import type { Closure } from '../../kernel/content/index.ts';
import type { CatalogReferrer } from './catalog.ts';
import type { ClosureFor } from './closures.ts';

/** Whether an entry of a root is a referrer. */
export function isReferrer(entry: Descriptor): boolean {
  return entry.annotations?.[solutionAnnotations.subject] !== undefined;
}

/**
 * Reads the referrers that a root lists. Throws `FormatError` `solution-invalid` where one is not about its subject.
 */
export async function readReferrers(
  entries: readonly Descriptor[],
  closureFor: ClosureFor,
): Promise<CatalogReferrer[]> {
  const referrers: CatalogReferrer[] = [];
  for (const descriptor of entries.filter(isReferrer)) {
    const { [solutionAnnotations.subject]: subject, [solutionAnnotations.tag]: tag } = descriptor.annotations ?? {};
    const invalid = (why: string): FormatError =>
      new FormatError('solution-invalid', `the referrer ${descriptor.digest} ${why}`);
    if (!isDigest(subject)) throw invalid('names a subject that is not a digest');
    if (tag !== undefined && !isTag(tag)) throw invalid('has an invalid tag');
    const closure = await closureFor(descriptor);
    const named = closure.manifests.at(-1)?.value.subject?.digest;
    if (tag === undefined && named !== subject) throw invalid(`is not about ${subject}`);
    referrers.push({ descriptor, subject, tag, closure });
  }
  return referrers;
}

/**
 * Gives those of `all` that are about the manifests of a closure, about their children, or about these referrers: for
 * the same closure the same list.
 */
export function referrersAmong(all: readonly CatalogReferrer[]): (closure: Closure) => readonly CatalogReferrer[] {
  const bySubject = new Map<Digest, CatalogReferrer[]>();
  for (const referrer of all) {
    const about = bySubject.get(referrer.subject) ?? [];
    about.push(referrer);
    bySubject.set(referrer.subject, about);
  }
  const known = new Map<Closure, readonly CatalogReferrer[]>();
  return (closure) => {
    const found = known.get(closure) ?? referrersTo(closure, bySubject);
    known.set(closure, found);
    return found;
  };
}

function referrersTo(
  closure: Closure,
  bySubject: ReadonlyMap<Digest, readonly CatalogReferrer[]>,
): readonly CatalogReferrer[] {
  const found = new Set<CatalogReferrer>();
  const subjects = new Set(closure.manifests.map(({ descriptor }) => descriptor.digest));
  // A set that grows is gone through to its new end.
  for (const subject of subjects) {
    for (const referrer of bySubject.get(subject) ?? []) {
      found.add(referrer);
      for (const { descriptor } of referrer.closure.manifests) subjects.add(descriptor.digest);
    }
  }
  return [...found];
}
