import { tmpdir } from 'node:os';
import { SolpackError } from '../../../lib/kernel/events/errors.ts';
import type { Event } from '../../../lib/kernel/events/events.ts';
import type { Flow } from '../../../lib/kernel/events/flow.ts';
import { lend } from '../../../lib/kernel/events/lend.ts';
import type { ApplyRequest, ApplyResult } from '../../../lib/parts/clusters/kind.ts';
import { applyRequest } from '../../../lib/parts/clusters/kubernetes/apply/apply-request.ts';
import { kubernetesTarget } from '../../../lib/parts/clusters/kubernetes/index.ts';
import type { KubernetesApi } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect } from '../../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { type ApplyTiming, defaultTiming } from '../../../lib/parts/clusters/kubernetes/server/session.ts';

/** What is to be applied, to which cluster. */
export interface Order {
  readonly kubeconfig: string;
  readonly request: ApplyRequest;
  readonly force?: boolean;
  readonly timing?: Partial<ApplyTiming>;
}

/** What became of it. */
export interface Told {
  readonly result?: ApplyResult;
  readonly error?: {
    readonly code: string;
    readonly subject: string;
    readonly message: string;
    readonly hint: string;
  };
  /** `step subject` or, of notices, `note subject: message`, in order. */
  readonly events: readonly string[];
}

const usual: ApplyTiming = { ...defaultTiming, poll: 200, patience: 2_000 };

/** Applies a request as install does. Waits are looked at more often, so that tests do not wait long. */
export async function apply({ kubeconfig, request, force = false, timing }: Order): Promise<Told> {
  const { flow, events } = flowOf();
  try {
    const target = kubernetesTarget({ kubeconfig, forceConflicts: force }, { ...usual, ...timing });
    const result = await lend(target, async () => {
      await target.facts(flow);
      return target.apply(request, flow);
    });
    return { result, events };
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    const { code, subject, message, hint = '' } = error;
    return { error: { code, subject, message, hint }, events };
  }
}

/** Begins to apply a request, and dies without a word as soon as it has changed the cluster `changes` times. */
export async function applyUntilKilled({ kubeconfig, request, changes }: Order & { changes: number }): Promise<void> {
  const { flow } = flowOf();
  const api = await connect(kubeconfig, flow);
  let left = changes;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return done;
  };
  const mortal: KubernetesApi = {
    ...api,
    apply: (object, options, signal) => {
      const applied = api.apply(object, options, signal);
      return options.dryRun ? applied : counted(applied);
    },
    remove: (name, options, signal) => counted(api.remove(name, options, signal)),
  };
  await applyRequest(request, { api: mortal, flow, timing: usual, force: false });
  await api.close();
}

function flowOf(): { flow: Flow; events: string[] } {
  const events: string[] = [];
  const onEvent = (event: Event): void => {
    if (event.type === 'step') events.push(`${event.step} ${event.subject}`);
    if (event.type === 'notice') events.push(`note ${event.subject}: ${event.message}`);
  };
  return { events, flow: { signal: new AbortController().signal, onEvent, host: { path: [], temp: tmpdir() } } };
}
