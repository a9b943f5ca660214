import type { Flow } from '../flow.ts';

/** How a registry is tied to its flow: it ends with it, and what goes wrong while serving is told as a notice. */
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
