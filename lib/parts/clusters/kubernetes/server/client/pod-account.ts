import { join } from 'node:path';
import { type Kubeconfig, kubeconfigInvalid } from './kubeconfig.ts';

/** The account of the Pod that a process runs in (Kubernetes, "Accessing the Kubernetes API from a Pod"). */
export interface PodAccount {
  /** `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT`, as kubelet sets them. */
  readonly host: string;
  readonly port: string;
  /** The folder of `token` and `ca.crt`, which kubelet writes anew before they expire. */
  readonly folder: string;
}

/** Makes of the account of a Pod what a kubeconfig would say. Throws `kubeconfig-invalid` where the address is none. */
export function podKubeconfig({ host, port, folder }: PodAccount): Kubeconfig {
  const address = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(address)) {
    const message = `the address of the API server in the environment is invalid: ${host}, port ${port}`;
    throw kubeconfigInvalid(folder, message, 'give --kubeconfig');
  }
  return {
    path: folder,
    server: new URL(address),
    cluster: {
      server: address,
      'certificate-authority': join(folder, 'ca.crt'),
    } as Kubeconfig['cluster'],
    who: 'the account of this Pod',
    user: { tokenFile: join(folder, 'token') } as Kubeconfig['user'],
  };
}
