import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { kubernetesTarget, runLoader } from '../../parts/clusters/index.ts';
import { awaitCluster } from '../../shared/solutions/clusters/index.ts';
import { LOADER, manifestsOf, SETTINGS } from '../agent/index.ts';
import type { BootRequest, BootResult } from './request.ts';

export type {
  /** A loader that is to install, and the cluster. */
  BootRequest,
  /** How a loader has ended that was successful. */
  BootResult,
} from './request.ts';

/**
 * Waits until a cluster is ready, and has a loader install there: makes or updates the ConfigMap of its parameters and
 * that of its progress, makes its Job, and follows that until it has ended. Then it makes the CronJob of the repair,
 * where one is wanted. Throws the error that the install ended with, `object-not-ready` where the Job ended without a
 * word, and what the server refuses; `cluster-unreachable` and the like where the cluster is not ready in `wait`.
 */
export async function bootLoader(request: BootRequest, flow: Flow): Promise<BootResult> {
  const { access, wait, limit, parameters, repair } = request;
  await lend(kubernetesTarget(access), (cluster) => awaitCluster(cluster, wait, flow));
  const digest = createHash('sha256');
  for (const [name, bytes] of parameters) digest.update(`${name} ${bytes.length}\n`).update(bytes);
  const loader = { ...request.loader, parameters: digest.digest('hex').slice(0, 16) };
  const all = manifestsOf('loader', loader);
  const job = all.find(({ kind }) => kind === 'Job')!;
  const settings = settingsOf(loader.namespace, parameters);
  const run = await runLoader(
    {
      ...access,
      objects: [...all.filter((one) => one !== job), settings],
      job,
      progress: LOADER,
      limit,
      afterwards: repair ? [...manifestsOf('repair', repair), settingsOf(repair.namespace, trustIn(parameters))] : [],
    },
    flow,
  );
  return { ...run, ...(repair === undefined ? {} : { schedule: repair.schedule }) };
}

/** A repair reads nothing but whom to trust. */
function trustIn(parameters: BootRequest['parameters']): BootRequest['parameters'] {
  return new Map([...parameters].filter(([name]) => /\.(?:toml|pub|pem)$/.test(name)));
}

function settingsOf(namespace: string, parameters: BootRequest['parameters']): KubernetesObject {
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  for (const [name, bytes] of parameters) {
    const content = Buffer.from(bytes);
    const text = content.toString('utf8');
    if (Buffer.compare(Buffer.from(text), content) === 0) data[name] = text;
    else binaryData[name] = content.toString('base64');
  }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: SETTINGS, namespace }, data, binaryData };
}
