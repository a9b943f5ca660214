import { reportProgress } from '../lib/command.ts';
import type { ProgressPlace } from '../lib/index.ts';
import { usage } from './arguments.ts';
import type { CommandSession } from './command-session.ts';
import { clusterAccess } from './in-cluster.ts';
import { type Io, ownEnvironment } from './io.ts';

/** Where a command says how far it has come. */
export interface ReportingOptions {
  readonly kubeconfig?: string;
  readonly progressTo?: string;
  readonly progressAs?: string;
}

/**
 * Does the work of a command, and tells in a ConfigMap how far it has come, where options ask for that. Throws
 * `usage-invalid`, and what `reportProgress` throws.
 */
export async function reporting(
  io: Io,
  { kubeconfig, progressTo, progressAs: runner }: ReportingOptions,
  session: CommandSession,
  work: (session: CommandSession) => Promise<void>,
): Promise<void> {
  if (progressTo === undefined) {
    if (runner !== undefined) throw usage('--progress-as', 'is for --progress-to', 'leave it out');
    return work(session);
  }
  if (kubeconfig === undefined) {
    throw usage('--progress-to', 'is for a cluster', 'leave it out, or give --kubeconfig');
  }
  const place = progressPlace(io, progressTo, kubeconfig, '--progress-to');
  await reportProgress({ ...place, runner }, session.flow, (flow) => work({ ...session, flow }));
}

/** Returns the ConfigMap `NAMESPACE/NAME` of a cluster. Throws `usage-invalid`. */
export function progressPlace(io: Io, value: string, kubeconfig: string, option: string): ProgressPlace {
  const [namespace = '', name = '', ...more] = value.split('/');
  if (namespace === '' || name === '' || more.length > 0) {
    throw usage(option, `${JSON.stringify(value)} does not name a ConfigMap`, 'write NAMESPACE/NAME');
  }
  return { kubeconfig: clusterAccess(io, kubeconfig), env: ownEnvironment(io), namespace, name };
}
