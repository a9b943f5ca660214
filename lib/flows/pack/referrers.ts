import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, noPlatform } from '../../../formats/oci/descriptor.ts';
import { artifactTypeOf, attachedTags } from '../../../formats/oci/referrers.ts';
import type { LockedImage } from '../../../formats/solution/lock.ts';
import { solutionAnnotations } from '../../../formats/solution/metadata.ts';
import { type Closure, closureOf, type Fetched, type Manifests, type NamedSource } from '../../kernel/content/index.ts';
import { pool, SolpackError } from '../../kernel/events/index.ts';

/** How long a chain of referrers may be, and how many an image may have: each costs requests and memory. */
const LIMITS = { depth: 8, count: 1000 } as const;

/** A signature, an SBOM or an attestation of an image, as it was found in its source. */
export interface ResolvedReferrer {
  /** Digest of the manifest that it is about. */
  readonly subject: Digest;
  /** Its tag, where only that ties it to its subject. */
  readonly tag?: string;
  readonly descriptor: Descriptor;
  readonly closure: Closure;
}

/**
 * Finds everything that refers to the manifests of an image, to their children, or to such a referrer, each once.
 * Throws `image-unsupported` where there are too many.
 */
export async function findReferrers(
  source: NamedSource,
  manifests: Manifests,
  about: readonly Fetched[],
  signal: AbortSignal,
): Promise<ResolvedReferrer[]> {
  const seen = new Set<Digest>(about.map(({ descriptor }) => descriptor.digest));
  const found: ResolvedReferrer[] = [];
  let subjects = about.map(({ descriptor }) => descriptor);
  for (let depth = 0; subjects.length > 0; depth += 1) {
    if (depth > LIMITS.depth) throw endless(source, `a chain of more than ${LIMITS.depth} referrers`);
    const next: Descriptor[] = [];
    const listed = new Map<Digest, readonly Candidate[]>();
    await pool(subjects, { signal }, async (subject, inner) => {
      listed.set(subject.digest, await candidates(source, subject, inner));
    });
    for (const subject of subjects) {
      for (const { descriptor, tag } of listed.get(subject.digest) ?? []) {
        if (seen.has(descriptor.digest)) continue;
        const referrer = await read(manifests, { descriptor, subject: subject.digest, tag }, signal);
        // Registries list wrong referrers too: GitLab's fallback tag is the image itself.
        if (!referrer) continue;
        seen.add(descriptor.digest);
        found.push(referrer);
        next.push(descriptor);
        if (found.length > LIMITS.count) throw endless(source, `more than ${LIMITS.count} referrers`);
      }
    }
    subjects = next;
  }
  return inOrder(found);
}

/**
 * Reads the referrers that a lock names, by their digests. Throws `lock-mismatch` where the source no longer has one.
 */
export async function lockedReferrers(
  source: NamedSource,
  manifests: Manifests,
  { reference, referrers = [] }: LockedImage,
  signal: AbortSignal,
): Promise<ResolvedReferrer[]> {
  const found: ResolvedReferrer[] = [];
  for (const { subject, tag, digest } of referrers) {
    const descriptor = await source.resolve(digest, signal);
    const referrer = descriptor && (await read(manifests, { descriptor, subject, tag }, signal));
    if (!referrer) {
      const message = `${source.name} does not hold ${digest}, which solution.lock names as a referrer of ${subject}`;
      throw new SolpackError('lock-mismatch', reference, message, {
        hint: 'run "solpack pack --update" to use what the source holds now',
      });
    }
    found.push(referrer);
  }
  return inOrder(found);
}

/** Returns the entry of a referrer in the root. */
export function rootEntry({ descriptor, subject, tag, closure }: ResolvedReferrer): Descriptor {
  const { mediaType, digest, size } = descriptor;
  const artifactType = artifactTypeOf(closure.manifests.at(-1)!.value);
  return {
    mediaType,
    digest,
    size,
    ...(artifactType === undefined ? {} : { artifactType }),
    platform: noPlatform,
    annotations: {
      [solutionAnnotations.subject]: subject,
      ...(tag === undefined ? {} : { [solutionAnnotations.tag]: tag }),
    },
  };
}

/** A manifest that may be about another one, with its tag where that says so. */
interface Candidate {
  readonly descriptor: Descriptor;
  readonly tag: string | undefined;
}

/** Lists what may be about `subject`: what the source lists, and what it has under cosign's tags. */
async function candidates(source: NamedSource, subject: Descriptor, signal: AbortSignal): Promise<Candidate[]> {
  if (!source.referrers) return [];
  const [listed, ...tagged] = await Promise.all([
    source.referrers(subject, undefined, signal),
    ...attachedTags(subject.digest).map(async (tag) => {
      const descriptor = await source.resolve(tag, signal);
      return descriptor ? [{ descriptor, tag }] : [];
    }),
  ]);
  return [...listed.map((descriptor) => ({ descriptor, tag: undefined })), ...tagged.flat()];
}

/** Reads a referrer; undefined where it is not about its subject. */
async function read(
  manifests: Manifests,
  { descriptor, subject, tag }: { descriptor: Descriptor; subject: Digest; tag: string | undefined },
  signal: AbortSignal,
): Promise<ResolvedReferrer | undefined> {
  const { mediaType, digest, size } = descriptor;
  const plain = { mediaType, digest, size };
  const closure = await closureOf(manifests, plain, { signal });
  const named = closure.manifests.at(-1)!.value.subject?.digest;
  if (tag === undefined && named !== subject) return undefined;
  return { subject, descriptor: plain, closure, ...(tag === undefined || named === subject ? {} : { tag }) };
}

function inOrder(referrers: readonly ResolvedReferrer[]): ResolvedReferrer[] {
  const key = ({ subject, descriptor }: ResolvedReferrer): string => `${subject} ${descriptor.digest}`;
  return referrers.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function endless(source: NamedSource, what: string): SolpackError {
  return new SolpackError('image-unsupported', source.name, `has ${what} for one image`, {
    side: 'source',
    hint: 'write referrers = false for this image in the definition, and pack what it needs by name',
  });
}
