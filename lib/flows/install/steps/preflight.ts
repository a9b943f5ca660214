import type { Digest } from '../../../../formats/digest.ts';
import type { SolpackError } from '../../../kernel/events/index.ts';
import type { StepKind, Work } from '../../../kernel/plan/index.ts';
import { reachable } from '../../../parts/mirrors/index.ts';
import { placedArchives, placedRenderable, withPullNames } from '../../../shared/rendering/index.ts';
import { factsDigest } from '../../../shared/solutions/clusters/index.ts';
import type { Placement } from '../../../shared/solutions/sets/index.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { type Allowance, examineUndertaking, requireAllowed } from '../preflight/index.ts';
import { cleared, rendered, surveyed } from '../products.ts';
import { pullNames } from '../pull-names.ts';

type Inputs = {
  readonly placements: readonly Placement[];
  readonly configuration: string;
  /** What the cluster is like; null where there is none to ask. */
  readonly facts: Digest | null;
  /** Whether images keep their names, because nodes have mirrors. */
  readonly mirrored: boolean;
  readonly allow: readonly Allowance[];
};

/**
 * Makes sure that nothing known is in the way, before anything is moved, written or applied; tells all of it at once.
 */
export const preflightStep: StepKind<
  Pick<InstallRead, 'placements' | 'cluster' | 'configuration' | 'hostsDir' | 'allow'>,
  Pick<InstallMeans, 'archives' | 'cluster' | 'delivery'>,
  Inputs,
  void
> = {
  kind: 'preflight',
  takes: [surveyed, rendered],
  gives: cleared,
  event: 'preflight',
  onlyLooks: true,
  plan: ({ placements, cluster, configuration, hostsDir, allow = [] }) => {
    const facts = factsDigest(cluster?.facts);
    const inputs = { placements, configuration, facts, mirrored: hostsDir !== undefined };
    return [{ subject: configuration, inputs: { ...inputs, allow: allow.toSorted() } }];
  },
  run: async (step, work) => {
    const faults = [...work.one(surveyed).faults, ...(await examined(step.inputs, work))];
    requireAllowed(faults, step.inputs.allow, work.flow);
  },
  // Who makes a plan need not be who carries it out: what prevents that is reported, as the survey has reported what it
  // found.
  foresee: async (step, work) => {
    for (const { subject, message } of await examined(step.inputs, work)) {
      work.flow.onEvent({ type: 'notice', subject, message: `an install will fail with this: ${message}` });
    }
    return { output: undefined, actions: [] };
  },
};

async function examined(
  { placements, configuration, facts, mirrored }: Inputs,
  { means, flow, all }: Work<Pick<InstallMeans, 'archives' | 'cluster' | 'delivery'>>,
): Promise<readonly SolpackError[]> {
  const { delivery, cluster } = means;
  const before = all(rendered)[0];
  if (cluster === undefined || facts === null || before === undefined) return [];
  const placed = placedArchives(placements, means.archives);
  const archives = placed.map(({ archive }) => archive);
  // Before images are delivered, a registry that takes any free port has no address; then they keep their names.
  const pullName = pullNames(delivery, reachable(delivery.url ?? ''), mirrored || delivery.url === undefined);
  const { solutions: rendering } = before;
  const { solutions: named } = withPullNames(rendering, placed.map(placedRenderable), pullName);
  return examineUndertaking({ configuration, cluster, archives, rendered: rendering, named }, flow);
}
