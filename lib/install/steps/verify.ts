import type { Digest } from '../../../formats/digest.ts';
import { digestOf } from '../../plan/make.ts';
import type { StepKind } from '../../plan/step.ts';
import { archivesOf } from '../archives.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { type VerifiedArchive, verified } from '../products.ts';
import { requireVerified, type Trusting } from '../trust.ts';

type Inputs = {
  readonly root: Digest;
  /** Whom to trust, and what is remembered of the Solution; null where nobody is asked. */
  readonly trust: Digest | null;
  readonly allowDowngrade: boolean;
  /** Whether blobs that are hashed while they are delivered are left to that. */
  readonly leavesDelivered: boolean;
};

/** Makes sure that an archive is what its root says, and who has signed it. Nothing is moved before all archives are verified. */
export const verify: StepKind<
  Pick<InstallRead, 'archives' | 'trust' | 'delivery'>,
  Pick<InstallMeans, 'archives' | 'trust' | 'delivery'>,
  Inputs,
  VerifiedArchive
> = {
  kind: 'verify',
  takes: [],
  gives: verified,
  plan: ({ archives, trust, delivery }) =>
    archives.map(({ path, catalog }) => ({
      subject: path,
      inputs: {
        root: catalog.root.digest,
        trust: trust === 'skip' ? null : trustDigest(trust, catalog.metadata.name),
        allowDowngrade: trust !== 'skip' && trust.allowDowngrade,
        leavesDelivered: delivery.hashedOnTheWay !== undefined,
      },
    })),
  run: async ({ inputs: { root } }, { means: { archives, trust, delivery }, flow }) => {
    const [archive] = archivesOf(archives, [root]);
    const later = delivery.hashedOnTheWay?.(archive!.catalog);
    return { root, ...(await requireVerified(archive!, trust, flow, later)) };
  },
};

/** Digests all that decides whom to trust with a Solution, the time aside, which passes. */
function trustDigest({ basis: { policy, memory } }: Trusting, solution: string): Digest {
  return digestOf([policy, memory.solutions.get(solution) ?? null]);
}
