import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { GenerationCause, GenerationResolution } from '../../parts/clusters/index.ts';
import { askedAbout, type GenerationRequest } from './content.ts';

/** What the resolver decided for a generation. */
export interface ResolutionResult extends GenerationResolution {
  readonly configuration: string;
  readonly generation: number;
  readonly cause: GenerationCause;
}

/**
 * Reads why a generation has the Solutions that it has: what the resolver chose, why, and what it passed over. Changes
 * nothing. Throws `generation-absent`, also where that is not recorded, `usage-invalid`, and what the cluster refuses.
 */
export function generationResolution(request: GenerationRequest, flow: Flow): Promise<ResolutionResult> {
  return askedAbout(request, flow, async (configuration, { number, cause, resolution }) => {
    if (resolution !== undefined) return { configuration, generation: number, cause, ...resolution };
    const why =
      cause === 'uninstall'
        ? 'was made by an uninstall, which resolves nothing'
        : 'has no record of why it has its Solutions: a previous release of solpack made it';
    throw new SolpackError('generation-absent', `generation ${number} of ${configuration}`, why, {
      hint: '"solpack resolve -f FILE" shows what a configuration stands for now',
    });
  });
}
