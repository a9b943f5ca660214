import { type ApplyPlan, isSteady, type PlannedSolution } from '../desired/index.ts';
import { watchReadiness } from '../health/index.ts';
import type { Applying, FinishedJobs } from '../memory/index.ts';
import { now } from '../server/index.ts';

/**
 * Makes sure that all Solutions of a plan are ready at the same time: one that was may have been brought down by one
 * that came after it. Until then nothing of the previous versions is removed. Each component has once more the time
 * that it may take. Throws `object-not-ready`, and refusals of the server.
 */
export async function awaitTogether(
  { solutions }: Pick<ApplyPlan, 'solutions'>,
  previous: (solution: PlannedSolution) => string | undefined,
  session: Applying & { readonly finished: FinishedJobs },
): Promise<void> {
  const since = now();
  let again: number;
  do {
    again = 0;
    for (const solution of solutions) {
      const watch = watchReadiness({ name: solution.name, previous: previous(solution) }, session);
      for (const { name, objects, timeout, ready } of solution.components) {
        const awaited = objects.filter((one) => !isSteady(one.name) && !session.finished.gone.has(one.key));
        watch.add(name, awaited, Math.max(0, timeout - (now() - since)), undefined, ready);
      }
      again += await watch.until();
    }
    // Whoever was ready before another one was waited for may not be so any longer.
  } while (again > 0);
}
