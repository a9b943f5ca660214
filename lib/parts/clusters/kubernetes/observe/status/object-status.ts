import { pool } from '../../../../../kernel/events/index.ts';
import type { FieldDrift, ObjectState, ObjectStatus } from '../../../presence.ts';
import { diagnose, mostTelling, type Readiness, readinessContext, readinessOf } from '../../health/index.ts';
import type { ApplySession, ObjectName } from '../../server/index.ts';
import type { Assessed } from './assess.ts';
import type { Drifted } from './drift.ts';

/** How many objects are asked about closely: where more are not ready, they fail alike. */
const DIAGNOSED = 20;
/** How many objects are asked about at once. */
const ASKED = 8;
/** How many fields a reason names. */
const NAMED = 3;

/** Fields of a Secret that tell nothing of what it holds. */
const harmless = /^(?:type|immutable|metadata\.labels)(?:\.|$)/;

/** How an object is that a probe asks about, apart from what that says. */
const byProbe: Readiness = { state: 'ready', message: 'is there' };

/** Names an object for programs: `Kind/namespace/name`, with nothing in the middle outside of namespaces. */
export function objectPlace({ kind, name, namespace = '' }: Pick<ObjectName, 'kind' | 'name' | 'namespace'>): string {
  return `${kind}/${namespace}/${name}`;
}

/**
 * Returns how objects are, in their order: why they are not ready, as an install would say it, and what has drifted.
 */
export async function statusesOf(all: readonly Assessed[], session: ApplySession): Promise<ObjectStatus[]> {
  const { api, flow } = session;
  const judged = new Map<Assessed, Readiness>();
  await pool(all, { limit: ASKED, signal: flow.signal }, async (one, signal) => {
    if (one.live === undefined) return;
    const isAsked = one.isProbed && one.live.metadata.deletionTimestamp === undefined;
    const own = isAsked ? byProbe : readinessOf(one.live, await readinessContext(api, one.live, signal));
    judged.set(one, own);
  });
  const unready = [...judged]
    .filter(([, { state }]) => state === 'failed' || state === 'waiting')
    .map(([one, { state }]) => ({ one, state, planned: one.planned }));
  const closely: (typeof unready)[number][] = [];
  for (let left = unready; closely.length < DIAGNOSED && left.length > 0; ) {
    const next = mostTelling(left)!;
    closely.push(next);
    left = left.filter((other) => other !== next);
  }
  const causes = new Map<Assessed, { readonly cause: string; readonly isPassing: boolean }>();
  await pool(closely, { limit: ASKED, signal: flow.signal }, async ({ one }, signal) => {
    const { cause, isPassing = false } = await diagnose(api, one.live!, signal);
    causes.set(one, { cause, isPassing });
  });
  return all.map((one) => statusOf(one, judged.get(one), causes.get(one)));
}

function statusOf(
  { planned, live, isOver, drift }: Assessed,
  readiness: Readiness | undefined,
  found: { readonly cause: string; readonly isPassing: boolean } | undefined,
): ObjectStatus {
  const object = objectPlace(planned.name);
  const statusWith = (state: ObjectState, reason?: string): ObjectStatus => {
    return { object, state, reason, drift: drift.map((one) => redactedDrift(one, planned.name.kind)) };
  };
  if (live === undefined || readiness === undefined) {
    return isOver ? statusWith('ready') : statusWith('drifted', `object ${object} is gone`);
  }
  const isDegraded = readiness.state === 'failed' || found?.isPassing === false;
  const reason = found?.cause ?? readiness.message;
  if (isDegraded) return statusWith('degraded', reason);
  if (drift.length > 0) return statusWith('drifted', driftWords(drift));
  return readiness.state === 'ready' ? statusWith('ready') : statusWith('progressing', reason);
}

function redactedDrift({ path, wanted, found, manager, since }: Drifted, kind: string): FieldDrift {
  if (kind !== 'Secret' || harmless.test(path)) return { path, wanted, found, manager, since };
  return { path, wanted: '***', found: found === null ? null : '***', manager, since };
}

function driftWords(drift: readonly Drifted[]): string {
  const words = drift.slice(0, NAMED).map(({ path, manager, found }) => {
    return `${path} ${found === null ? 'is gone' : `was set by ${manager ?? 'somebody'}`}`;
  });
  const more = drift.length > NAMED ? `, and ${drift.length - NAMED} more fields` : '';
  return `${words.join(', ')}${more}`;
}
