import type { Digest } from '../../../../formats/digest.ts';
import { shellWord } from '../../../../formats/shell-word.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import type { FindingCode } from '../../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { inputDigest, type StepKind } from '../../../kernel/plan/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import type { InventoryEntry } from '../../../parts/clusters/index.ts';
import { decisionCodes, ruleFor } from '../../../parts/trust/index.ts';
import { unsignedCodes, untrusted } from '../../../shared/solutions/trusted/index.ts';
import { verifyFiles } from '../../verify/index.ts';
import { archivesOf } from '../archives.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { type VerifiedArchive, verifiedArchive } from '../products.ts';
import type { Trusting } from '../trusting.ts';

type Inputs = {
  readonly root: Digest;
  /** Whom to trust, and what is remembered of the Solution; null where nobody is asked. */
  readonly trust: Digest | null;
  readonly allowDowngrade: boolean;
  /** Set where it needs no signature. */
  readonly allowUnsigned?: true;
  /** Whether the cluster has just this release in an environment, so that it is no older one there. */
  readonly isThere: boolean;
  /** Whether blobs that are hashed while they are delivered are left to that. */
  readonly leavesDelivered: boolean;
};

/**
 * Makes sure that an archive is what its root says, and who has signed it. Nothing is moved before all archives are
 * verified.
 */
export const verifyStep: StepKind<
  Pick<InstallRead, 'archives' | 'trust' | 'delivery' | 'cluster'>,
  Pick<InstallMeans, 'archives' | 'trust' | 'delivery'>,
  Inputs,
  VerifiedArchive
> = {
  kind: 'verify',
  takes: [],
  gives: verifiedArchive,
  plan: ({ archives, trust, delivery, cluster }) =>
    archives.map(({ path, catalog }) => ({
      subject: path,
      inputs: {
        root: catalog.root.digest,
        trust: trust === 'skip' ? null : trustDigest(trust, catalog.metadata.name),
        allowDowngrade: trust !== 'skip' && trust.allowDowngrade === true,
        ...(isAllowedUnsigned(trust, catalog.root.digest) ? { allowUnsigned: true as const } : {}),
        isThere: isInEnvironment(catalog.root.digest, catalog.metadata.name, cluster?.inventory),
        leavesDelivered: delivery.hashedOnTheWay !== undefined,
      },
    })),
  run: ({ inputs: { root, isThere } }, { means: { archives, trust, delivery }, flow }) => {
    const [archive] = archivesOf(archives, [root]);
    const later = delivery.hashedOnTheWay?.(archive!.catalog);
    return requireVerified(archive!, trust, { isThere, later }, flow);
  },
};

/** Whether an archive of this very root needs no signature. */
function isAllowedUnsigned(trust: Trusting | 'skip', root: Digest): boolean {
  return trust !== 'skip' && (trust.allowUnsigned ?? []).includes(root);
}

/** Digests all that decides whom to trust with a Solution, the time aside, which passes. */
function trustDigest({ basis: { policy, memory } }: Trusting, solution: string): Digest {
  return inputDigest([policy, memory.solutions.get(solution) ?? null]);
}

/** Returns whether a cluster has a release of a Solution in one of its environments: then it goes down nowhere. */
function isInEnvironment(root: Digest, solution: string, inventory: readonly InventoryEntry[] = []): boolean {
  return inventory.some((entry) => {
    const { name, environment } = instanceParts(entry.name);
    return entry.root === root && name === solution && environment !== undefined && entry.state !== 'removed';
  });
}

const decisions: ReadonlySet<FindingCode> = new Set(decisionCodes);

/**
 * Makes sure that an archive is what its root says, and that it is trusted; `skip` asks for its bytes alone, and says
 * so. The blobs `later` are not read: they have to be hashed when they are used. Throws `verification-failed`,
 * `not-trusted`.
 */
async function requireVerified(
  archive: Archive,
  trust: Trusting | 'skip',
  { isThere, later }: { readonly isThere: boolean; readonly later: ReadonlySet<Digest> | undefined },
  flow: Flow,
): Promise<VerifiedArchive> {
  const { path, catalog } = archive;
  const root = catalog.root.digest;
  const asked = { trust: trust === 'skip' ? undefined : trust.basis, ...(later && { later }) };
  const { trusted, findings, signers, medium } = await verifyFiles(archive, path, asked, flow);
  const isPinned = isAllowedUnsigned(trust, root);
  // Whoever names the root, or asks for no proof, goes without a word on bytes that only the root or nobody vouches
  // for.
  const integrity = findings.filter(
    ({ code }) => !decisions.has(code) && (code !== 'unproved' || !(isPinned || trust === 'skip')),
  );
  const unsigned = findings.filter(({ code }) => isPinned && unsignedCodes.has(code));
  const decided = findings.filter((finding) => decisions.has(finding.code) && !unsigned.includes(finding));
  const isAllowed = trust !== 'skip' && (trust.allowDowngrade || isThere);
  const downgrade = isAllowed ? decided.find(({ code }) => code === 'downgrade') : undefined;
  const refusals = decided.filter((finding) => finding !== downgrade);
  // As `verify` has it: what is not trusted is that first of all, damaged or not.
  if (refusals.length > 0 || (trusted === false && downgrade === undefined && unsigned.length === 0)) {
    throw untrusted(path, [...refusals, ...integrity.slice(0, 1)]);
  }
  const [first] = integrity;
  if (first) {
    const more = integrity.length > 1 ? ` (and ${integrity.length - 1} more)` : '';
    throw new SolpackError('verification-failed', path, `${first.subject}: ${first.message}${more}`, {
      hint: `"solpack verify ${shellWord(path)}" lists all of it; fetch the archive again`,
    });
  }
  const tell = (message: string): void => flow.onEvent({ type: 'notice', subject: path, message });
  if (trust === 'skip') {
    const bytes = medium
      ? 'its images match their manifests, and nothing vouches for the rest'
      : 'its bytes are intact';
    tell(`NOT TRUSTED: ${bytes}, but signatures were not checked, as --insecure-skip-verify says`);
    return { root, signers, downgraded: false, bounds: undefined };
  }
  if (unsigned.length > 0) tell(`is installed without a valid signature, as --allow-unsigned ${root} says`);
  if (downgrade && !isThere) tell(`is installed anyway, as --allow-downgrade says: ${downgrade.message}`);
  const bounds = ruleFor(trust.basis.policy, catalog.metadata.name)?.allow;
  return { root, signers, downgraded: downgrade !== undefined && !isThere, bounds };
}
