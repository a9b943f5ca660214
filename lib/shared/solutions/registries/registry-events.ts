import type { Flow } from '../../../kernel/events/index.ts';

/** Ties a registry to its flow: both end by the same signal, and problems of serving become notices of the flow. */
export function registryEvents({ signal, onEvent }: Flow): {
  signal: AbortSignal;
  onProblem: (problem: unknown) => void;
} {
  return {
    signal,
    onProblem: (problem) => {
      const message = problem instanceof Error ? problem.message : String(problem);
      onEvent({ type: 'notice', subject: 'registry', message });
    },
  };
}
