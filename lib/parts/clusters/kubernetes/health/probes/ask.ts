import type { ReadyProbe } from '../../../../../../formats/solution/ready-probe.ts';
import { type ApiError, type ApplySession, now } from '../../server/index.ts';
import type { ComponentCourse } from '../progress/index.ts';
import { probeJudge } from './judge.ts';
import { lookByProbe, type Probed } from './look.ts';

/** A probe that does not hold yet, with what was found last. */
export interface AskedProbe {
  readonly probe: ReadyProbe;
  probed: Probed | undefined;
}

/** Probes that are asked together. */
interface Asking {
  readonly component: string;
  readonly asking: readonly AskedProbe[];
  stirred: number;
  failure: ApiError | undefined;
}

/** Looks what probes say now, and tells each change. Returns those that do not hold yet. */
export async function askProbes(
  batch: Asking,
  { course }: { readonly course?: ComponentCourse | undefined },
  session: ApplySession,
): Promise<readonly AskedProbe[]> {
  if (batch.asking.length === 0) return [];
  const judge = await probeJudge(batch.asking.map(({ probe }) => probe));
  for (const asked of batch.asking) {
    const before = asked.probed;
    const probed = await lookByProbe(asked.probe, judge, session);
    asked.probed = probed;
    if (probed.refusal) batch.failure = probed.refusal;
    if (before?.message === probed.message && before.subject === probed.subject) continue;
    batch.stirred = now();
    if (probed.state === 'ready') continue;
    const subject = `${probed.subject}: ${probed.message}`;
    session.flow.onEvent({ type: 'step', step: 'wait', subject });
    course?.tell(batch.component, 'waiting', subject);
  }
  return batch.asking.filter(({ probed }) => probed?.state !== 'ready');
}
