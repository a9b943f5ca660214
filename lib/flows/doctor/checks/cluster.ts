import { shellWord } from '../../../../formats/shell-word.ts';
import { lend } from '../../../kernel/events/index.ts';
import type { HealthCheck } from '../check.ts';
import { inTime } from '../in-time.ts';

/** Asks the API server of the profile, or else of this machine, whether it is ready. */
export const clusterCheck: HealthCheck = {
  code: 'cluster',
  purposes: ['install'],
  look: async ({ cluster }, flow) => {
    const found = cluster();
    if (found === undefined) {
      const message = 'neither the profile nor this machine has one: only images can be delivered';
      return [
        {
          state: 'skipped',
          subject: 'kubeconfig',
          message,
          hint: 'name the kubeconfig of a cluster: solpack profile set kubeconfig FILE',
        },
      ];
    }
    const { kubeconfig } = found;
    const subject = kubeconfig ?? 'the cluster of this Pod';
    return inTime(subject, 'check that the API server runs: crictl ps --name kube-apiserver', flow, async (own) => {
      const why = await lend(await found.open(), (target) => target.whyNotReady(own));
      if (why === undefined) return [{ state: 'ok', subject, message: 'the API server answers, and is ready' }];
      const by = kubeconfig === undefined ? '' : ` --kubeconfig ${shellWord(kubeconfig)}`;
      const hint = `kubectl get --raw '/readyz?verbose'${by}`;
      return [{ state: 'fails', subject, message: `the API server is ${why}`, hint }];
    });
  },
};
