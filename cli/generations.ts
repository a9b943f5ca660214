import { Option } from 'commander';
import { duration, kubernetesTarget } from '../lib/command.ts';
import type { ClusterTarget } from '../lib/index.ts';
import { usage } from './arguments.ts';
import { clusterAccess, podAccount } from './in-cluster.ts';
import { type Io, ownEnvironment } from './io.ts';

/** Options of commands about what a cluster remembers. */
export interface ClusterOptions {
  readonly kubeconfig: string;
  readonly forceConflicts?: boolean;
  readonly timeout?: string;
}

/** Makes the option of `ClusterOptions` that says which cluster. */
export function kubeconfigOption(io: Io): Option {
  const option = new Option('--kubeconfig <file>', 'the cluster of this kubeconfig');
  return podAccount(io) === undefined ? option.makeOptionMandatory() : option;
}

/** Opens the cluster that options name; nothing is sent yet. */
export async function clusterOf(
  io: Io,
  { kubeconfig, forceConflicts = false, timeout }: ClusterOptions,
): Promise<ClusterTarget> {
  const removal = timeout === undefined ? {} : { removal: 1000 * duration(timeout, '--timeout') };
  return kubernetesTarget({
    kubeconfig: clusterAccess(io, kubeconfig),
    env: ownEnvironment(io),
    forceConflicts,
    ...removal,
  });
}

/** Reads the number of generations to keep. Throws `usage-invalid`. */
export function generationCount(value: string): number {
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw usage(
    '--keep-generations',
    `${value} is not a number from 1 to 999`,
    'write how many generations to keep, such as 10',
  );
}

/** Reads the number of a generation. Throws `usage-invalid`. */
export function generationNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw usage('generation', `${value} is not the number of a generation`, '"solpack history" lists them');
}
