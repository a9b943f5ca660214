import { join } from 'node:path';
import { authority } from '../node/certificates.ts';
import type { Paths } from '../node/state.ts';

/** Where the programs of a control plane listen, on 127.0.0.1. */
export interface Ports {
  readonly etcd: number;
  readonly peers: number;
  readonly server: number;
}

/** The arguments of each program of a control plane, after its name. */
export function argumentsOf(
  paths: Paths,
  ports: Ports,
  tokens: string,
): Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager', readonly string[]>> {
  const { config, data, kubeconfig, pki } = paths;
  const etcd = `http://127.0.0.1:${ports.etcd}`;
  const accounts = join(pki, 'service-accounts.key');
  return {
    etcd: flags({
      'data-dir': join(data, 'etcd'),
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': `http://127.0.0.1:${ports.peers}`,
      // What is lost with the machine was to be thrown away.
      'unsafe-no-fsync': 'true',
    }),
    'kube-apiserver': flags({
      'etcd-servers': etcd,
      'secure-port': String(ports.server),
      'bind-address': '127.0.0.1',
      // It is no server that Pods could reach.
      'endpoint-reconciler-type': 'none',
      'service-cluster-ip-range': '198.19.0.0/16',
      'tls-cert-file': join(pki, 'apiserver.crt'),
      'tls-private-key-file': join(pki, 'apiserver.key'),
      'client-ca-file': authority(paths),
      'token-auth-file': tokens,
      'authorization-mode': 'RBAC',
      'allow-privileged': 'true',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': accounts,
      'service-account-signing-key-file': accounts,
    }),
    'kube-controller-manager': flags({
      kubeconfig,
      'leader-elect': 'false',
      // Nobody asks it anything.
      'secure-port': '0',
      'cert-dir': join(config, 'kube-controller-manager'),
      'service-account-private-key-file': accounts,
      'root-ca-file': authority(paths),
      // Each of its clients may ask as often as it likes: nobody else is there to be kept waiting.
      'kube-api-qps': '1000',
      'kube-api-burst': '1000',
      // What is deleted is to be gone soon.
      'namespace-sync-period': '2s',
    }),
  };
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([flag, value]) => `--${flag}=${value}`);
}
