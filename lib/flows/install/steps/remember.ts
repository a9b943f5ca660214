import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import type { Product, StepKind } from '../../../kernel/plan/index.ts';
import { foreseeMemory, remember, ruleFor } from '../../../parts/trust/index.ts';
import { applied } from '../../../shared/solutions/clusters/index.ts';
import { delivered } from '../delivery/index.ts';
import type { InstallRead } from '../plan-types.ts';
import { mirrored, verifiedArchive } from '../products.ts';
import type { Trusting } from '../trusting.ts';

type Inputs = {
  /** The folder that remembers releases. */
  readonly state: string;
  readonly releases: readonly Release[];
};

/** What is remembered of a release once it is installed. */
type Release = {
  readonly name: string;
  readonly sequence: number | null;
  /** Seconds since 1970; null where nothing depends on it. */
  readonly created: number | null;
};

const remembered: Product<void> = { product: 'remembered releases' };

/** Remembers the releases that are installed now, below which no later install goes unless it is asked to. */
export const rememberStep: StepKind<Pick<InstallRead, 'archives' | 'trust'>, unknown, Inputs, void> = {
  kind: 'remember',
  takes: [verifiedArchive, delivered, mirrored, applied],
  gives: remembered,
  plan: ({ archives, trust }) => {
    if (trust === 'skip') return [];
    const releases = archives.map(({ catalog }) => releaseOf(catalog.metadata, trust.basis.policy));
    return [{ subject: trust.state, inputs: { state: trust.state, releases } }];
  },
  run: ({ inputs: { state, releases } }) => remember(state, releases.map(installedAs)),
  foresee: ({ inputs: { state, releases } }) => foreseeMemory(state, releases.map(installedAs)),
};

function installedAs({ name, sequence, created }: Release): Parameters<typeof remember>[1][number] {
  return { name, sequence: sequence ?? undefined, created: created ?? undefined };
}

/** Returns what of a release is remembered under a policy. A date alone is not, where nothing depends on it. */
function releaseOf(
  { name, sequence, created, expires }: SolutionMetadata,
  policy: Trusting['basis']['policy'],
): Release {
  // Something does where releases are counted, or expire, or the policy lets them move the time.
  const dated = (sequence ?? expires) !== undefined || ruleFor(policy, name)?.movesTime === true;
  return { name, sequence: sequence ?? null, created: dated ? created : null };
}
