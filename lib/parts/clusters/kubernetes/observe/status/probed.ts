import { probeSubject } from '../../../../../../formats/solution/ready-probe.ts';
import type { ObjectState, ObjectStatus } from '../../../presence.ts';
import type { PlannedSolution } from '../../desired/index.ts';
import { causeOfProbe, lookByProbe, type Probed, probeJudge } from '../../health/index.ts';
import { type ApplySession, nameOf } from '../../server/index.ts';
import { objectPlace } from './object-status.ts';

/**
 * Returns what the probes of a Solution say now, in the order of its components. `unmet` is the state of what was ready
 * once, as its generation was, and is not any longer, or does not exist yet.
 */
export async function probeStatuses(
  { components }: Pick<PlannedSolution, 'components'>,
  unmet: ObjectState,
  session: ApplySession,
): Promise<ObjectStatus[]> {
  const asked: ObjectStatus[] = [];
  for (const { ready } of components) {
    if (ready.length === 0) continue;
    const judge = await probeJudge(ready);
    for (const probe of ready) {
      const probed = await lookByProbe(probe, judge, session);
      if (probed.refusal) throw probed.refusal;
      asked.push(await statusOf(probed, unmet, session));
    }
  }
  return asked;
}

/** Returns what the probes of repaired Solutions say, where that is not that they are ready. */
export async function tellUnmet(solutions: readonly PlannedSolution[], session: ApplySession): Promise<void> {
  for (const solution of solutions) {
    for (const { object, state, reason } of await probeStatuses(solution, 'progressing', session)) {
      if (state === 'ready') continue;
      session.flow.onEvent({ type: 'notice', subject: object, message: `is not ready yet: ${reason}` });
    }
  }
}

async function statusOf(probed: Probed, unmet: ObjectState, session: ApplySession): Promise<ObjectStatus> {
  const { live, state, probe } = probed;
  const object = live ? objectPlace(nameOf(live)) : placeOf(probe);
  if (state === 'ready') return { object, state: 'ready', reason: undefined, drift: [] };
  return { object, state: unmet, reason: (await causeOfProbe(probed, session)).cause, drift: [] };
}

function placeOf(probe: Probed['probe']): string {
  const subject = probeSubject({ ...probe, namespace: undefined });
  const [kind = ''] = subject.split(' ');
  return `${kind}/${probe.namespace ?? ''}/${subject.slice(kind.length + 1)}`;
}
