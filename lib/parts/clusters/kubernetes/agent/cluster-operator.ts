import { isDeepStrictEqual } from 'node:util';
import { type Flow, SolpackError } from '../../../../kernel/events/index.ts';
import { MANAGED_BY } from '../desired/index.ts';
import type { KubernetesApi, ObjectName } from '../server/index.ts';

/** The kind by which OpenShift shows the state of what runs a cluster. */
const KIND = { apiVersion: 'config.openshift.io/v1', kind: 'ClusterOperator' } as const;

/** Who writes it. */
const MANAGER = 'solpack-agent';

/**
 * Keeps a ClusterOperator, if the server knows that kind: makes it if it is absent, and writes its status if that is
 * another one. `statusFrom` makes the status from the one that is there. Throws `cluster-error` if there is one of
 * that name that somebody else has made.
 */
export async function keepClusterOperator(
  name: string,
  statusFrom: (before: unknown) => object,
  api: KubernetesApi,
  { signal }: Flow,
): Promise<void> {
  if ((await api.discover(signal)).find(KIND.apiVersion, KIND.kind) === undefined) return;
  const named: ObjectName = { ...KIND, name };
  const live = await api.read(named, signal);
  const isOurs = Object.entries(MANAGED_BY).every(([label, value]) => live?.metadata.labels?.[label] === value);
  if (live !== undefined && !isOurs) {
    throw new SolpackError('cluster-error', `ClusterOperator ${name}`, 'was made by somebody else', {
      hint: 'remove it, or let the agent follow a configuration of another name',
    });
  }
  const status = statusFrom(live?.['status']);
  const metadata = { name, labels: MANAGED_BY };
  if (live === undefined) await api.apply({ ...KIND, metadata, spec: {} }, { manager: MANAGER, force: true }, signal);
  if (isDeepStrictEqual(live?.['status'], status)) return;
  await api.apply({ ...KIND, metadata: { name }, status }, { manager: MANAGER, force: true, status: true }, signal);
}
