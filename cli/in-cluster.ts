import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type PodAccount, SolpackError } from '../lib/index.ts';
import type { Io } from './io.ts';

/** What `--kubeconfig` takes for the cluster of the Pod that this runs in. */
export const IN_CLUSTER = 'in-cluster';
/** Where kubelet puts the account of a Pod. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns the account of the Pod that this runs in; undefined where it runs in none, or that has no account. */
export function podAccount({ env }: Pick<Io, 'env'>): PodAccount | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port || !existsSync(join(ACCOUNT, 'token'))) return undefined;
  return { host, port, folder: ACCOUNT };
}

/** Resolves a kubeconfig relative to a folder; the cluster of this Pod has no path. */
export function kubeconfigFrom(folder: string, kubeconfig: string): string {
  return kubeconfig === IN_CLUSTER ? kubeconfig : resolve(folder, kubeconfig);
}

/** Returns the cluster that `--kubeconfig` names: a file, or that of this Pod. Throws `usage-invalid`. */
export function clusterAccess(io: Io, kubeconfig: string): string | PodAccount {
  if (kubeconfig !== IN_CLUSTER) return resolve(io.cwd, kubeconfig);
  const account = podAccount(io);
  if (account !== undefined) return account;
  const message = `${IN_CLUSTER} is for Pods that have a service account, and this is not one`;
  throw new SolpackError('usage-invalid', '--kubeconfig', message, {
    hint: `name the kubeconfig; a file of that name is ./${IN_CLUSTER}`,
  });
}

/** Lets a command use the cluster of the Pod that it runs in, where it names no other place for objects. */
export function useOwnCluster(io: Io, command: Command): void {
  const { kubeconfig, render, imagesOnly } = command.opts<{
    kubeconfig?: string;
    render?: string;
    imagesOnly?: boolean;
  }>();
  const isKnown = command.options.some((option) => option.attributeName() === 'kubeconfig');
  if (
    !isKnown ||
    kubeconfig !== undefined ||
    render !== undefined ||
    imagesOnly === true ||
    podAccount(io) === undefined
  )
    return;
  command.setOptionValueWithSource('kubeconfig', IN_CLUSTER, 'default');
}
