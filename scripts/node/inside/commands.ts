import { join } from 'node:path';
import { authority } from '../certificates.ts';
import { etcdProgram, programPath } from '../programs.ts';
import { addresses, controlMachine, type Machine, type Paths } from '../state.ts';
import type { SettingFiles } from './settings.ts';

/** A program of the node and its arguments, after its name. */
export interface Command {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** Returns the programs of every node. Those of Kubernetes are in the folder `kubernetes`. */
export function nodeCommands(
  { config, data }: Paths,
  files: SettingFiles,
  { name, address }: Machine,
  kubernetes: string,
): Command[] {
  return [
    command('containerd', programPath('containerd'), { config: files.containerd }),
    command('kubelet', join(kubernetes, 'kubelet'), {
      config: files.kubelet,
      kubeconfig: join(config, 'kubelet.kubeconfig'),
      'root-dir': join(data, 'kubelet'),
      'cert-dir': join(data, 'kubelet-pki'),
      'hostname-override': name,
      'node-ip': address,
    }),
    command('kube-proxy', join(kubernetes, 'kube-proxy'), { config: files.kubeProxy }),
  ];
}

/** Returns the programs of the control plane; `tokens` is the API server's token file. */
export function controlCommands(paths: Paths, tokens: string, kubernetes: string): Command[] {
  const { config, data, pki } = paths;
  const etcd = 'http://127.0.0.1:2379';
  const own = (name: string, args: Record<string, string>): Command => command(name, join(kubernetes, name), args);
  const kubeconfig = (name: string): string => join(config, `${name}.kubeconfig`);
  const local = (name: string): Record<string, string> => ({
    kubeconfig: kubeconfig(name),
    'bind-address': '127.0.0.1',
    'cert-dir': join(data, name),
    'leader-elect': 'false',
  });
  return [
    command('etcd', etcdProgram(kubernetes) ?? programPath('etcd'), {
      'data-dir': join(data, 'etcd'),
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': 'http://127.0.0.1:2380',
      // The data are temporary, so a crash of the machine may lose them.
      'unsafe-no-fsync': 'true',
    }),
    own('kube-apiserver', {
      'etcd-servers': etcd,
      'secure-port': '6443',
      'bind-address': '0.0.0.0',
      'advertise-address': controlMachine.address,
      'service-cluster-ip-range': addresses.services,
      'tls-cert-file': join(pki, 'apiserver.crt'),
      'tls-private-key-file': join(pki, 'apiserver.key'),
      'client-ca-file': authority(paths),
      'token-auth-file': tokens,
      'authorization-mode': 'Node,RBAC',
      'enable-admission-plugins': 'NodeRestriction',
      'allow-privileged': 'true',
      'kubelet-certificate-authority': authority(paths),
      'kubelet-client-certificate': join(pki, 'apiserver-kubelet-client.crt'),
      'kubelet-client-key': join(pki, 'apiserver-kubelet-client.key'),
      'kubelet-preferred-address-types': 'InternalIP',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': join(pki, 'service-accounts.key'),
      'service-account-signing-key-file': join(pki, 'service-accounts.key'),
    }),
    own('kube-controller-manager', {
      ...local('kube-controller-manager'),
      'service-account-private-key-file': join(pki, 'service-accounts.key'),
      'root-ca-file': authority(paths),
      'use-service-account-credentials': 'true',
      // It sends many requests at its start, and no other client is slowed down by them.
      'kube-api-qps': '1000',
      'kube-api-burst': '1000',
    }),
    own('kube-scheduler', local('kube-scheduler')),
  ];
}

function command(name: string, program: string, flags: Record<string, string>): Command {
  return { name, program, args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`) };
}
