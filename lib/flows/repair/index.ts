import { type Flow, lend } from '../../kernel/events/index.ts';
import type { ClusterTarget, Repair } from '../../parts/clusters/index.ts';
import { findNamed, repeatedly, severalConfigurations } from '../../shared/solutions/clusters/index.ts';
import { readConfiguration } from '../../shared/solutions/sets/index.ts';
import { permitBy, type ReturnTrust, tellUnasked } from '../../shared/solutions/trusted/index.ts';

/** What to restore. */
export interface RepairRequest {
  readonly cluster: ClusterTarget;
  /** A configuration, or else a Solution, of which alone something is put back; undefined is the only configuration. */
  readonly name?: string | undefined;
  /** A SolutionsConfiguration that is asked for the name instead; undefined where none is. */
  readonly configuration?: string | undefined;
  /**
   * Tells whom to trust with what is put back, asked anew each time. What has only expired is put back all the same,
   * because it is there already. Left out: nobody is asked, which is reported.
   */
  readonly trust?: (() => Promise<ReturnTrust>) | undefined;
}

/** What a repair did. */
export interface RepairResult extends Repair {
  readonly configuration: string;
}

/**
 * Restores what has drifted or was deleted of the newest generation of a configuration: only objects of its inventory,
 * each as it was applied. What autoscalers set stays. Throws `not-trusted`, `generation-unfinished` if that generation
 * did not go well, `solution-unknown`, `usage-invalid` if there are several configurations, `object-conflict`, and what
 * applying throws.
 */
export async function repair(request: RepairRequest, flow: Flow): Promise<RepairResult> {
  flow.onEvent({ type: 'step', step: 'ask', subject: request.cluster.name });
  const result = await lend(request.cluster, () => repairOnce(request, flow));
  if (request.trust === undefined) tellUnasked('repair', flow);
  return result;
}

/**
 * Repeats `repair`, `every` milliseconds after the last time. It continues if the API server goes away, or while an
 * install runs. `show` gets each result with which something was done, or is left.
 */
export function keepRepairing(
  request: RepairRequest,
  every: number,
  flow: Flow,
  show: (result: RepairResult) => void,
): Promise<never> {
  if (request.trust === undefined) tellUnasked('repair', flow);
  return lend(request.cluster, () =>
    repeatedly(every, flow, async () => {
      const result = await repairOnce(request, flow);
      if (result.repaired.length + result.left.length > 0) show(result);
    }),
  );
}

async function repairOnce({ cluster, name, configuration, trust }: RepairRequest, flow: Flow): Promise<RepairResult> {
  const wanted = name ?? (configuration === undefined ? undefined : (await readConfiguration(configuration)).name);
  const [named, ...others] = await findNamed(cluster, wanted, flow);
  if (named === undefined || others.length > 0) {
    const names = [named, ...others].flatMap((one) => (one === undefined ? [] : [one.configuration]));
    throw severalConfigurations(cluster.name, names, 'solpack repair');
  }
  const permit = trust && (await permitBy(await trust(), 'stands', cluster, flow));
  const done = await cluster.repair(named.configuration, named.solution, flow, permit);
  if (done === undefined) throw new Error('there is no cluster to repair');
  return { configuration: named.configuration, ...done };
}
