import { type Flow, lend } from '../../kernel/events/flow.ts';
import type { Generation } from '../../parts/clusters/generation.ts';
import { configurationNamed } from '../../shared/solutions/clusters/generations.ts';
import type { HistoryRequest } from './request.ts';

export type { HistoryRequest } from './request.ts';

/** The generations of a configuration that its cluster remembers. */
export interface HistoryResult {
  readonly configuration: string;
  /** The newest first. */
  readonly generations: readonly Generation[];
}

/**
 * Reads what a cluster remembers of a configuration, and changes nothing. Throws `generation-absent`, `usage-invalid`,
 * and what the cluster refuses.
 */
export function history({ cluster, configuration }: HistoryRequest, flow: Flow): Promise<HistoryResult> {
  return lend(cluster, async () => {
    const name = await configurationNamed(cluster, configuration, 'solpack history', flow);
    return { configuration: name, generations: await cluster.generations(name, flow) };
  });
}
