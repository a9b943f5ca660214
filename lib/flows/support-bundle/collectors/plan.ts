import { SolpackError } from '../../../kernel/events/index.ts';
import type { Collector } from '../collector.ts';

/**
 * Shows what an install would do now, or why it would be refused. Nobody's signatures are asked for: nothing is
 * installed.
 */
export const plan: Collector = {
  name: 'the plan of an install',
  collect: async ({ request, snapshot, bundle, flow }) => {
    const { configuration, cluster } = request;
    if (configuration === undefined) return;
    // A cluster that does not answer would be all that the plan tells.
    const asked = cluster && snapshot && lent(cluster);
    try {
      await bundle.value('plan.json', await request.plan(configuration, asked, flow));
    } catch (error) {
      if (!(error instanceof SolpackError)) throw error;
      const { code, subject, message, hint, findings } = error;
      await bundle.value('plan-error.json', { code, subject, message, hint, findings });
      bundle.missing('plan of an install', `${subject}: ${message} [${code}]`);
    }
  },
};

/** A cluster that stays open when whoever uses it is done. */
function lent<T extends AsyncDisposable>(cluster: T): T {
  return { ...cluster, [Symbol.asyncDispose]: async () => undefined };
}
