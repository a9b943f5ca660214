import type { Flow } from '../../../../../kernel/events/index.ts';
import {
  clusterError,
  connect,
  fieldAt,
  type KubernetesApi,
  type ObjectName,
  type PodAccount,
} from '../../server/index.ts';
import { type RunProgress, storedProgress } from './document.ts';

/** The ConfigMap in which a run reports its progress. */
export interface ProgressPlace {
  /** Absolute path of a kubeconfig file, or the account of the Pod that this runs in. */
  readonly kubeconfig: string | PodAccount;
  /** The environment of programs that print credentials. */
  readonly env?: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly name: string;
}

/** The key of the ConfigMap that has all of it. */
export const WHOLE_PROGRESS = 'progress.json';

/** Who sets the fields of the ConfigMap. */
const PROGRESS_MANAGER = 'solpack-progress';

/** A ConfigMap with progress, over a connection of its own. Every method throws what the server refuses. */
export interface ProgressBoard extends AsyncDisposable {
  /** How errors name the server. */
  readonly server: string;
  readonly api: KubernetesApi;
  read(signal: AbortSignal): Promise<RunProgress | undefined>;
  /** Writes all of it. The ConfigMap is made where it is not there, which takes the right to create one. */
  write(progress: RunProgress, signal: AbortSignal): Promise<void>;
}

/** Connects to where progress is reported. Throws what `connect` throws. */
export async function openBoard(place: ProgressPlace, flow: Flow): Promise<ProgressBoard> {
  return boardOver(await connect(place.kubeconfig, flow, undefined, place.env), place);
}

/** Makes the board of a connection, and closes that with it. */
export function boardOver(
  api: KubernetesApi,
  { namespace, name }: Pick<ProgressPlace, 'namespace' | 'name'>,
): ProgressBoard {
  const place: ObjectName = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name };
  const withClusterErrors = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw clusterError(error, api.server);
    }
  };
  return {
    server: api.server,
    api,
    read: (signal) =>
      withClusterErrors(signal, async () =>
        storedProgress(fieldAt(await api.read(place, signal), 'data', WHOLE_PROGRESS)),
      ),
    write: (progress, signal) =>
      withClusterErrors(signal, async () => {
        const { apiVersion, kind } = place;
        const object = { apiVersion, kind, metadata: { name, namespace }, data: dataOf(progress) };
        await api.apply(object, { manager: PROGRESS_MANAGER, force: true }, signal);
      }),
    [Symbol.asyncDispose]: () => api.close(),
  };
}

/** What a ConfigMap has of progress: what `kubectl wait` looks at, and all of it. */
function dataOf(progress: RunProgress): Record<string, string> {
  const { state, since, code, reason } = progress;
  const plain = { state, since, ...(code === undefined ? {} : { code }), ...(reason === undefined ? {} : { reason }) };
  return { ...plain, [WHOLE_PROGRESS]: JSON.stringify({ schemaVersion: 1, ...progress }) };
}
