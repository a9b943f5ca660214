import { isRecord } from '../../../formats/record.ts';
import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type { ApprovalCluster, FollowedConfiguration } from '../../parts/clusters/index.ts';
import { type PlanState, planInStatus, planState } from '../agent/index.ts';

export { approvalCluster } from '../../parts/clusters/index.ts';

/** The plan of an agent, and what was decided about it. */
export interface ProposedInstall {
  readonly configuration: string;
  readonly state: PlanState;
  /** Why, in the words of who decided; left out where nobody said. */
  readonly reason?: string;
  readonly plan: InstallPlan;
}

/** What an agent reports of a configuration that it follows. */
export interface ConfigurationReport {
  readonly configuration: string;
  /** The condition `Ready`: True, False, or Unknown, also where no agent has reported. */
  readonly ready: string;
  readonly reason: string;
  readonly message: string;
  /** The number of the present generation; left out if it is unknown. */
  readonly generation?: number;
  /** What becomes of the plan; left out where there is none. */
  readonly plan?: { readonly state: PlanState; readonly seal: string };
}

/** A decision to record. */
export interface DecisionRequest {
  readonly cluster: ApprovalCluster;
  readonly configuration: string;
  readonly decision: 'Approved' | 'Denied';
  /** The seal of the plan that was read. */
  readonly seal: string;
  readonly reason?: string | undefined;
}

/** Lists what agents report of the configurations of a cluster, or of one. Throws `solution-unknown`. */
export async function configurationReports(
  { cluster, configuration }: { readonly cluster: ApprovalCluster; readonly configuration: string | undefined },
  flow: Flow,
): Promise<readonly ConfigurationReport[]> {
  return lend(cluster, async () => {
    const found = await cluster.configurations(configuration, flow);
    if (configuration !== undefined && found.length === 0) throw unknown(configuration);
    return found.map(reportOf);
  });
}

/** Returns the plan of a configuration, and what was decided about it. Throws `solution-unknown`, `plan-absent`. */
export function proposedInstall(
  { cluster, configuration }: { readonly cluster: ApprovalCluster; readonly configuration: string },
  flow: Flow,
): Promise<ProposedInstall> {
  return lend(cluster, () => proposedBy(cluster, configuration, flow));
}

/**
 * Records a decision about exactly the plan of a seal. Throws `solution-unknown`, `plan-absent`, and `plan-outdated`
 * where the agent proposes another plan by now.
 */
export function decidePlan(
  { cluster, configuration, decision, seal, reason }: DecisionRequest,
  flow: Flow,
): Promise<ProposedInstall> {
  return lend(cluster, async () => {
    const proposed = await proposedBy(cluster, configuration, flow);
    if (proposed.plan.seal !== seal) {
      throw new SolpackError('plan-outdated', configuration, 'the agent proposes another plan by now', {
        hint: `nothing was decided; read the plan again: solpack approval plan ${configuration}`,
      });
    }
    await cluster.decide(configuration, { seal, decision, ...(reason === undefined ? {} : { reason }) }, flow);
    return { configuration, state: decision, ...(reason === undefined ? {} : { reason }), plan: proposed.plan };
  });
}

async function proposedBy(cluster: ApprovalCluster, configuration: string, flow: Flow): Promise<ProposedInstall> {
  const [found] = await cluster.configurations(configuration, flow);
  if (found === undefined) throw unknown(configuration);
  const plan = planInStatus(found.status)?.plan;
  if (plan === undefined) {
    const { reason, message } = reportOf(found);
    throw new SolpackError('plan-absent', configuration, `no plan is in its status: ${reason}: ${message}`, {
      hint: 'an agent with --approve manual makes a plan when the configuration changes',
    });
  }
  const { decision } = found;
  const reason = decision?.seal === plan.seal ? decision.reason : undefined;
  const state = planState(plan.seal, decision);
  return { configuration, state, ...(reason === undefined ? {} : { reason }), plan };
}

function reportOf({ name, status, decision }: FollowedConfiguration): ConfigurationReport {
  const fields = isRecord(status) ? status : {};
  const conditions = Array.isArray(fields['conditions']) ? (fields['conditions'] as unknown[]) : [];
  const ready = conditions.find((one) => isRecord(one) && one['type'] === 'Ready');
  const textOf = (field: string, otherwise: string): string => {
    const value = isRecord(ready) ? ready[field] : undefined;
    return typeof value === 'string' ? value : otherwise;
  };
  const plan = planInStatus(status)?.plan;
  const generation = fields['generation'];
  return {
    configuration: name,
    ready: textOf('status', 'Unknown'),
    reason: textOf('reason', 'NotReported'),
    message: textOf('message', 'no agent has reported it'),
    ...(typeof generation === 'number' ? { generation } : {}),
    ...(plan === undefined ? {} : { plan: { state: planState(plan.seal, decision), seal: plan.seal } }),
  };
}

function unknown(configuration: string): SolpackError {
  return new SolpackError('solution-unknown', configuration, 'the cluster has no SolutionsConfiguration of this name', {
    hint: '"solpack approval status" lists those that it has',
  });
}
