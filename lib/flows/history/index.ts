import { type Flow, lend } from '../../kernel/events/index.ts';
import type { Generation } from '../../parts/clusters/index.ts';
import { configurationNamed } from '../../shared/solutions/clusters/index.ts';
import type { HistoryRequest } from './request.ts';

export type {
  /** What a generation applied. */
  GenerationObjects,
  /** The objects of a generation are asked for. */
  GenerationObjectsRequest,
  /** Which generation is asked about. */
  GenerationRequest,
} from './content.ts';
export type { HistoryRequest } from './request.ts';
export type {
  /** What the resolver decided for a generation. */
  ResolutionResult,
} from './resolution.ts';

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
