import { SolpackError } from '../../errors.ts';
import { foreseeInstall } from '../../install/index.ts';
import type { Collector } from '../collector.ts';

/** Milliseconds that a component may take in an install that is only planned. */
const TIMEOUT = 300_000;

/** Shows what an install would do now, or why it would be refused. Nobody's signatures are asked for: nothing is installed. */
export const plan: Collector = {
  name: 'the plan of an install',
  collect: async ({ request, snapshot, bundle, flow }) => {
    const { configuration, media, cluster, delivery, hostsDir, environment } = request;
    if (configuration === undefined) return;
    const wanted = {
      ...{ configuration, media, delivery, hostsDir, environment, timeout: TIMEOUT },
      ...({ trust: 'skip', variables: {}, allowMissingImages: true, test: false, strict: false } as const),
      // One that does not answer would be all that the plan tells.
      cluster: cluster && snapshot && lent(cluster),
    };
    try {
      await bundle.value('plan.json', await foreseeInstall(wanted, flow));
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
