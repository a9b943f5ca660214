import { setTimeout as sleep } from 'node:timers/promises';
import { type Flow, lend } from '../../../../../kernel/events/index.ts';
import { ApiError, clusterError, fieldAt, type KubernetesApi, listAt, numberAt, textAt } from '../../server/index.ts';
import { openBoard, type ProgressBoard, type ProgressPlace } from './board.ts';
import { begun, ended, type ProgressEnd, type RunProgress } from './document.ts';

/** The run whose end is reported if it could not report it itself. */
export interface SettleRequest extends ProgressPlace {
  /** The Pod, in the namespace of the ConfigMap. */
  readonly pod: string;
  readonly container: string;
}

/** The content of the ConfigMap at the end. */
export interface SettledRun {
  readonly progress: RunProgress;
  /** Whether the run had ended without a report, so that its end was written now. */
  readonly wasSilent: boolean;
}

/** Milliseconds: between two looks; what is left to find out how a container ended, once this is asked to end too. */
export interface SettleTiming {
  readonly pause: number;
  readonly grace: number;
}

const times: SettleTiming = { pause: 1_000, grace: 15_000 };

/** Milliseconds that a call may take. */
const CALL = 10_000;

/**
 * Waits until a container of a Pod has ended, and reports that in the ConfigMap if its run did not report its end: it
 * was killed, or ended before it could report. A signal that aborts the flow says that the Pod is ending: then the end
 * is reported in any case. Throws `kubeconfig-invalid`, `cluster-unreachable`, `cluster-forbidden`.
 */
export async function settleProgress(request: SettleRequest, flow: Flow): Promise<SettledRun> {
  // To be asked to end does not end this.
  const board = await openBoard(request, { ...flow, signal: new AbortController().signal });
  return lend(board, () => settleOn(board, request, flow.signal));
}

/** Does the same on a board that is open. */
export async function settleOn(
  board: ProgressBoard,
  request: Pick<SettleRequest, 'namespace' | 'pod' | 'container'>,
  signal: AbortSignal,
  timing: SettleTiming = times,
): Promise<SettledRun> {
  const end = await awaitEnd(request, board.api, signal, timing);
  const found = await board.read(timely());
  if (found !== undefined && found.runner === request.pod && found.state !== 'running') {
    return { progress: found, wasSilent: false };
  }
  const now = new Date().toISOString();
  const own = found?.runner === request.pod ? found : begun(request.pod, found, now);
  const progress = ended(own, end, now);
  await board.write(progress, timely());
  return { progress, wasSilent: true };
}

async function awaitEnd(
  { namespace, pod: name, container }: Pick<SettleRequest, 'namespace' | 'pod' | 'container'>,
  api: KubernetesApi,
  signal: AbortSignal,
  { pause, grace }: SettleTiming,
): Promise<ProgressEnd> {
  let since: number | undefined;
  for (;;) {
    const pod = await api.read({ apiVersion: 'v1', kind: 'Pod', namespace, name }, timely()).catch((error) => {
      // While the server does not answer, the Pod runs on.
      if (error instanceof ApiError && error.status === 403) throw clusterError(error, api.server);
    });
    const end = endOf(pod, container);
    if (end !== undefined) return end;
    if (signal.aborted) since ??= performance.now();
    if (since !== undefined && performance.now() - since > grace) {
      return { state: 'interrupted', reason: `the Pod ${name} was ended` };
    }
    await sleep(pause, undefined, signal.aborted ? {} : { signal }).catch(() => undefined);
  }
}

/** Returns how a container ended; undefined where it has not. */
function endOf(pod: unknown, container: string): ProgressEnd | undefined {
  const statuses = listAt(pod, 'status', 'containerStatuses');
  const status = statuses.find((one) => textAt(one, 'name') === container);
  const gone = fieldAt(status, 'state', 'terminated');
  if (gone === undefined) return undefined;
  const exit = numberAt(gone, 'exitCode') ?? 0;
  if (exit === 0) return { state: 'ready' };
  const cause = textAt(gone, 'reason');
  // A shell's convention, which runtimes follow: 128 and the number of the signal.
  if (cause === 'OOMKilled' || exit > 130) {
    const how = cause === '' || cause === 'Error' ? `by signal ${exit - 128}` : `(${cause})`;
    return { state: 'interrupted', reason: `its container was killed ${how}, and ended with ${exit}` };
  }
  const last = textAt(gone, 'message').trim().split('\n').at(-1) ?? '';
  return { state: 'failed', reason: last === '' ? `its container ended with ${exit}` : last };
}

function timely(): AbortSignal {
  return AbortSignal.timeout(CALL);
}
