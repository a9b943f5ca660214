import { kubernetesTarget } from '../../clusters/index.ts';
import { lend } from '../../flow.ts';
import { bounded } from '../bounded.ts';
import type { HealthCheck } from '../check.ts';

/** Asks the API server of the profile, or else of this machine, whether it is ready. */
export const clusterCheck: HealthCheck = {
  code: 'cluster',
  purposes: ['install'],
  look: async ({ request: { environment: env }, cluster }, flow) => {
    const kubeconfig = cluster();
    if (kubeconfig === undefined) {
      const message = 'neither the profile nor this machine has one: images alone can be brought';
      return [{ state: 'skipped', subject: 'kubeconfig', message, hint: 'solpack profile set kubeconfig FILE' }];
    }
    const subject = typeof kubeconfig === 'string' ? kubeconfig : kubeconfig.folder;
    return bounded(subject, 'check that the API server runs: crictl ps --name kube-apiserver', flow, async (own) => {
      const target = kubernetesTarget({ kubeconfig, env, forceConflicts: false });
      const why = await lend(target, () => target.whyNotReady(own));
      if (why === undefined) return [{ state: 'ok', subject, message: 'the API server answers, and is ready' }];
      const hint = `kubectl get --raw '/readyz?verbose' --kubeconfig ${subject}`;
      return [{ state: 'fails', subject, message: `the API server is ${why}`, hint }];
    });
  },
};
