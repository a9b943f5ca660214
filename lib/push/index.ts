import type { Digest } from '../../formats/digest.ts';
import { formatReference, type Reference } from '../../formats/oci/reference.ts';
import { type Archive, openArchive } from '../archives/index.ts';
import type { Copied } from '../copy.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import type { Place } from '../place.ts';
import { openRegistries, type RegistryOptions, type Repository, writableTarget } from '../registries/index.ts';
import { type AttestationReferrer, attestationReferrers } from '../solutions/attestation-referrers.ts';
import { compareRoot } from '../solutions/compare-root.ts';
import { differs, pushBundles, pushStatements, registerReferrers } from '../solutions/push-referrers.ts';
import { pushContent, pushNamed } from './content.ts';
import { namedIn } from './names.ts';

/** What to push, and where to. */
export interface PushRequest {
  readonly archive: Place;
  /** Without a tag it is the version; a digest has to be the root's, and alone it leaves the root without a tag. */
  readonly reference: Reference;
  readonly options: RegistryOptions;
  /** Whether images and charts get names of their own as well, below the repository. */
  readonly expand: boolean;
}

/** What was pushed. */
export interface PushResult extends Copied {
  /** Where the Solution is now: the repository, the tag where there is one, and the digest. */
  readonly reference: string;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Signatures of the archive, which are referrers of the root. */
  readonly signatures: number;
  /** Attestations of the archive that are signed, which are referrers of what they are about. */
  readonly attestations: number;
  /** Images and charts that have names of their own now. */
  readonly names: readonly { readonly reference: string; readonly digest: Digest }[];
}

/**
 * Pushes an archive to a repository as one artifact: all that its root reaches, the root by its own digest and by a tag,
 * signatures as referrers of the root. What the registry has is not sent again, so an interrupted push goes on when it is
 * run once more. The tag is set last. Throws `archive-invalid`, `verification-failed`, `content-mismatch`,
 * `image-conflict`, and what the registry answers.
 */
export async function push(request: PushRequest, flow: Flow): Promise<PushResult> {
  return lend(await openArchive(request.archive, flow.signal), async (archive) => {
    const { reference, options, expand } = request;
    requireSound(archive, reference);
    const registries = openRegistries(options);
    try {
      const target = await writableTarget(registries, reference, options);
      // Asked before anything is moved.
      const named = expand ? await namedIn(archive, target, flow.signal) : [];
      const attestations = await attestationReferrers(archive, (message) =>
        flow.onEvent({ type: 'notice', subject: archive.path, message }),
      );
      const pushed = await pushSolution(registries.open(target), archive, attestations, reference, flow);
      const copied: Copied[] = [pushed];
      for (const one of named) {
        const repository = registries.open(one.target);
        copied.push(await pushNamed(repository, archive, one, flow));
        const about = new Set(one.groups.flat().map(({ digest }) => digest));
        const own = attestations.filter(({ subject }) => about.has(subject.digest));
        copied.push(await pushStatements(own, archive.path, repository, flow));
      }
      const names = named.map(({ target: { registry, repository }, tag, top: { descriptor } }) => ({
        reference: formatReference({ registry, repository, ...(tag ? { tag } : { digest: descriptor.digest }) }),
        digest: descriptor.digest,
      }));
      return { ...pushed, names, ...sumOf(copied) };
    } finally {
      registries.close();
    }
  });
}

async function pushSolution(
  repository: Repository,
  archive: Archive,
  attestations: readonly AttestationReferrer[],
  reference: Reference,
  flow: Flow,
): Promise<Omit<PushResult, 'names'>> {
  const { root, rootBytes, metadata, referrers } = archive.catalog;
  const { registry, repository: name, digest } = reference;
  const tag = reference.tag ?? (digest === undefined ? metadata.version.replaceAll('+', '_') : undefined);
  flow.onEvent({ type: 'step', step: 'push', subject: repository.name });
  const content = await pushContent(repository, archive, flow);
  await registerReferrers(referrers, repository, flow.signal);
  const bundles = await pushBundles(archive, attestations, repository, flow);
  if (tag !== undefined && (await differs(repository, tag, root, flow.signal))) {
    await repository.tag(root, rootBytes, tag, flow.signal);
  }
  return {
    reference: formatReference({ registry, repository: name, ...(tag ? { tag } : {}), digest: root.digest }),
    name: metadata.name,
    version: metadata.version,
    root: root.digest,
    signatures: bundles.signatures,
    attestations: bundles.attestations,
    ...sumOf([content, bundles.copied]),
  };
}

function sumOf(all: readonly Copied[]): Copied {
  const sum = (part: keyof Copied): number => all.reduce((total, one) => total + one[part], 0);
  return { moved: sum('moved'), movedBytes: sum('movedBytes'), present: sum('present') };
}

/** What would not come back as it was is not pushed. */
function requireSound({ path, catalog }: Archive, { digest }: Reference): void {
  const [finding] = compareRoot(catalog);
  if (finding) {
    throw new SolpackError('verification-failed', path, `${finding.subject}: ${finding.message}`, {
      hint: `"solpack verify ${path}" lists all of it; nothing was pushed`,
    });
  }
  if (digest === undefined || digest === catalog.root.digest) return;
  throw new SolpackError('content-mismatch', path, `its root is ${catalog.root.digest}, not ${digest}`, {
    hint: 'leave the digest out, or name the archive that it is of; nothing was pushed',
  });
}
