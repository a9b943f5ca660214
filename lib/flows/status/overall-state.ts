import type { Generation, SolutionStatus } from '../../parts/clusters/index.ts';

/** Returns the state of a configuration as a whole: that of its worst Solution. */
export function overallState({
  generation,
  solutions,
}: {
  readonly generation: Pick<Generation, 'state'>;
  readonly solutions: readonly Pick<SolutionStatus, 'state'>[];
}): SolutionStatus['state'] {
  const { state: run } = generation;
  if (run === 'failed' || run === 'interrupted') return 'interrupted';
  const worst = worstFirst.find((state) => solutions.some((one) => one.state === state)) ?? 'ready';
  return worst === 'ready' && run === 'applying' ? 'progressing' : worst;
}

const worstFirst: readonly SolutionStatus['state'][] = ['interrupted', 'degraded', 'drifted', 'progressing'];

/** Returns whether everything is ready: the Solutions, and the mirrors that were examined. */
export function isAllReady(
  report: Parameters<typeof overallState>[0] & { readonly mirrors: readonly { readonly state: string }[] | undefined },
): boolean {
  return overallState(report) === 'ready' && (report.mirrors ?? []).every(({ state }) => state === 'ready');
}
