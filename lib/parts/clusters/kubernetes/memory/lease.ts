import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { SolpackError } from '../../../../kernel/events/index.ts';
import { hasEnded, isRun, ownRun } from '../../../../kernel/machine/index.ts';
import { HOME, MANAGED_BY } from '../desired/index.ts';
import {
  ApiError,
  type ApplySession,
  type LiveObject,
  now,
  type ObjectName,
  orRefusal,
  pause,
  textAt,
} from '../server/index.ts';
import { type Elapsed, elapsedSince, fenced, moment } from './fence.ts';
import { requireHome } from './inventories.ts';

/** How often a Lease is renewed within the time after which a silent run counts as ended. */
const RENEWALS = 3;
/** Without a sign of life for so many milliseconds, a run counts as ended for who only looks. */
const SILENCE = 60_000;
/** How long releasing a Lease may take, in milliseconds. One that is not released is taken over later. */
const RELEASE_TIMEOUT = 2_000;

/** The Lease that a run wants. */
interface Wanted {
  /** What it is of, as messages name that: `configuration edge`. */
  readonly subject: string;
  /** What who has it does. */
  readonly doing: string;
  readonly name: ObjectName;
  /** Whether nobody has it for long, so that one waits for it also where it is renewed. */
  readonly isShort: boolean;
  readonly holder: string;
  readonly since: string;
}

/**
 * Does `work` while no other run applies the same configuration. It holds the Lease `configuration-<name>`
 * (coordination.k8s.io/v1), renews it meanwhile, and removes it in the end. The Lease of a run that has ended, or that
 * was silent for `timing.lease` milliseconds, is taken over; where this one was silent for nearly as long, its changes
 * wait until it has renewed the Lease. `contended` says that others may have changed something a moment ago; `holder`
 * is the name of this run in the Lease. Throws `configuration-busy` where another run holds the Lease, or has taken it
 * over.
 */
export function withLease<T>(configuration: string, session: ApplySession, work: UnderLease<T>): Promise<T> {
  const subject = `configuration ${configuration}`;
  const doing = `applying the ${subject}`;
  return holding({ ...wantedBy(leaseName(configuration)), subject, doing, isShort: false }, session, work);
}

/**
 * Does `work` while no run of another configuration does the same: what takes a moment, and looks at what all
 * configurations have. It holds the Lease `sets`, as `withLease` does that of a configuration, and waits for it.
 */
export function inTurn<T>(session: ApplySession, work: (session: ApplySession) => Promise<T>): Promise<T> {
  const subject = 'what configurations require of each other';
  const wanted = { ...wantedBy(leaseNamed('sets')), subject, doing: `looking at ${subject}`, isShort: true };
  return holding(wanted, session, work);
}

type UnderLease<T> = (
  session: ApplySession,
  how: { readonly contended: boolean; readonly holder: string },
) => Promise<T>;

async function holding<T>(wanted: Wanted, session: ApplySession, work: UnderLease<T>): Promise<T> {
  const { flow } = session;
  const age = elapsedSince(moment());
  const { held, contended } = await acquire(wanted, session, age);
  const [done, lost] = [new AbortController(), new AbortController()];
  const onLost = (error: SolpackError): void => lost.abort(error);
  const keeping = keep({ wanted, age, onLost }, held, { ...session, flow: { ...flow, signal: done.signal } });
  const signal = AbortSignal.any([flow.signal, lost.signal]);
  const isStale = (): boolean => age.since() > (session.timing.lease * (RENEWALS - 1)) / RENEWALS;
  const api = fenced(session.api, isStale, (own) => {
    return renewNow({ wanted, age, onLost }, { ...session, flow: { ...flow, signal: own } });
  });
  try {
    return await work({ ...session, api, flow: { ...flow, signal } }, { contended, holder: wanted.holder });
  } finally {
    done.abort();
    await keeping;
    await release(wanted, session);
  }
}

/**
 * Returns who holds the Lease of a configuration; undefined where nobody does whose run is known to live. One that was
 * silent for a minute counts as ended: clocks of machines differ, but seldom by that.
 */
export async function currentHolder(
  configuration: string,
  { api, flow: { signal } }: ApplySession,
): Promise<string | undefined> {
  const live = await api.read(leaseName(configuration), signal);
  if (live === undefined || isOver(live)) return undefined;
  const renewed = Date.parse(textAt(live, 'spec', 'renewTime'));
  return Date.now() - renewed > SILENCE ? undefined : holderOf(live);
}

function leaseName(configuration: string): ObjectName {
  // `load` has a configuration of its own for each tree, and its name has a slash.
  return leaseNamed(`configuration-${configuration.replaceAll('/', '.')}`);
}

function leaseNamed(name: string): ObjectName {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name, namespace: HOME };
}

function wantedBy(name: ObjectName): Pick<Wanted, 'name' | 'holder' | 'since'> {
  return {
    name,
    holder: `${hostname()}/${ownRun()}/${randomBytes(4).toString('hex')}`,
    since: microTime(),
  };
}

/** Waits until the Lease is free, or its run has ended. `contended` says that it was held when this run came. */
async function acquire(
  wanted: Wanted,
  session: ApplySession,
  age: Elapsed,
): Promise<{ held: LiveObject; contended: boolean }> {
  const { api, flow, timing } = session;
  let seen: LiveObject | undefined;
  let since = now();
  for (let contended = false; ; contended = true) {
    age.restart(moment());
    const live = await api.read(wanted.name, flow.signal);
    // This run did write it: only the answer was lost.
    if (live !== undefined && holderOf(live) === wanted.holder) return { held: live, contended };
    if (live === undefined || isOver(live) || (sameState(live, seen) && now() >= since + timing.lease)) {
      const held = await orRefusal(() => write(wanted, live, session), flow.signal);
      if (!(held instanceof ApiError)) return { held, contended: contended || live !== undefined };
      // Another run was faster.
      if (held.status !== 409 && held.status !== 404) throw held;
    } else if (!sameState(live, seen)) {
      if (!wanted.isShort && seen !== undefined && holderOf(seen) === holderOf(live)) throw busy(wanted, live);
      const subject = `${wordsOf(live)} is ${wanted.doing}, or was killed`;
      flow.onEvent({ type: 'step', step: 'wait', subject });
      seen = live;
      since = now();
    }
    await pause(timing.poll, session);
  }
}

/** Makes the Lease, or takes over the one that was seen. Where two runs try that, the server refuses one of them. */
async function write(wanted: Wanted, seen: LiveObject | undefined, session: ApplySession): Promise<LiveObject> {
  const { api, flow, timing } = session;
  const { apiVersion, kind, name } = wanted.name;
  if (seen === undefined) await requireHome(session);
  // By its uid it is not made anew where it is gone: another run may have had it, and have ended.
  const expected = seen && { uid: seen.metadata.uid, resourceVersion: seen.metadata.resourceVersion };
  const metadata = { name, namespace: HOME, labels: MANAGED_BY, ...expected };
  const spec = {
    holderIdentity: wanted.holder,
    leaseDurationSeconds: Math.ceil(timing.lease / 1000),
    acquireTime: wanted.since,
    renewTime: microTime(),
  };
  // Each run has its own manager, so that the fields of a faster one are not overwritten.
  const options = { manager: `solpack/${wanted.holder.slice(-64)}`, force: seen !== undefined };
  return api.apply({ apiVersion, kind, metadata, spec }, options, flow.signal);
}

/** A Lease that a run has. */
interface OwnLease {
  readonly wanted: Wanted;
  /** Since it was last known to be its own. */
  readonly age: Elapsed;
  /** Called where another run has it. */
  onLost(error: SolpackError): void;
}

/** Renews a Lease that may be another run's by now. Throws `configuration-busy` where it is. */
async function renewNow({ wanted, age, onLost }: OwnLease, session: ApplySession): Promise<void> {
  const { api, flow } = session;
  for (;;) {
    const begun = moment();
    const live = await api.read(wanted.name, flow.signal);
    if (live === undefined || holderOf(live) !== wanted.holder) {
      const error = lostTo(live, wanted);
      onLost(error);
      throw error;
    }
    const renewed = await orRefusal(() => write(wanted, live, session), flow.signal);
    if (!(renewed instanceof ApiError)) return age.restart(begun);
    // It was renewed, or taken over, because it was read.
    if (renewed.status !== 409 && renewed.status !== 404) throw renewed;
  }
}

/** Renews the Lease until the session's signal is aborted. */
async function keep({ wanted, age, onLost }: OwnLease, held: LiveObject, session: ApplySession): Promise<void> {
  const { api, flow, timing } = session;
  for (let last = held; ; ) {
    await pause(timing.lease / RENEWALS, session).catch(() => undefined);
    if (flow.signal.aborted) return;
    const signal = AbortSignal.any([flow.signal, AbortSignal.timeout(timing.lease)]);
    const patient = { ...session, flow: { ...flow, signal } };
    const begun = moment();
    try {
      last = await write(wanted, last, patient);
      age.restart(begun);
    } catch (error) {
      // While the server does not answer, no other run can take over either.
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) continue;
      const live = await api.read(wanted.name, signal).catch(() => last);
      if (live === undefined || holderOf(live) !== wanted.holder) onLost(lostTo(live, wanted));
      else last = live;
    }
  }
}

/**
 * Removes the Lease of a configuration where the run that has it has certainly ended: for who has nothing to do with
 * it.
 */
export async function clearEnded(configuration: string, { api, flow: { signal } }: ApplySession): Promise<void> {
  const name = leaseName(configuration);
  const live = await api.read(name, signal);
  if (live === undefined || !isOver(live)) return;
  const { uid, resourceVersion } = live.metadata;
  await api.remove(name, { uid, resourceVersion, propagation: 'Background' }, signal);
}

/** Releases the Lease, if this run still has it. A renewal that was under way may change it once more. */
async function release({ name, holder }: Wanted, { api }: ApplySession): Promise<void> {
  const signal = AbortSignal.timeout(RELEASE_TIMEOUT);
  try {
    for (;;) {
      const live = await api.read(name, signal);
      if (live === undefined || holderOf(live) !== holder) return;
      const { uid, resourceVersion } = live.metadata;
      await api.remove(name, { uid, resourceVersion, propagation: 'Background' }, signal);
    }
  } catch {
    // The next run sees that this one has ended, or waits a moment.
  }
}

function isOver(lease: LiveObject): boolean {
  const holder = holderOf(lease);
  const [run = '', random = ''] = holder.split('/').slice(-2);
  return holder === '' || (/^[0-9a-f]+$/.test(random) && isRun(run) && hasEnded(run));
}

function sameState(a: LiveObject, b: LiveObject | undefined): boolean {
  return a.metadata.uid === b?.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion;
}

function holderOf(lease: LiveObject): string {
  return textAt(lease, 'spec', 'holderIdentity');
}

/** Describes the holder: `process 4711 of edge-1`. */
function wordsOf(lease: LiveObject): string {
  const holder = holderOf(lease);
  const [, host, pid] = /^(.*)\/([0-9]+)-[^/]*\/[^/]*$/.exec(holder) ?? [];
  return pid === undefined ? holder : `process ${pid} of ${host}`;
}

function busy({ subject }: Wanted, live: LiveObject): SolpackError {
  const since = textAt(live, 'spec', 'acquireTime').replace(/\.\d+/, '');
  const message = `${wordsOf(live)} has been applying it since ${since}`;
  return new SolpackError('configuration-busy', subject, message, {
    hint: 'wait until that has ended, or end it; then run the same command again',
  });
}

function lostTo(live: LiveObject | undefined, { subject, name }: Wanted): SolpackError {
  const how = live === undefined ? `somebody removed Lease ${HOME}/${name.name}` : `${wordsOf(live)} took over`;
  return new SolpackError('configuration-busy', subject, `${how} during this run`, {
    hint: 'check that no other run is active, and run the same command again',
  });
}

/** Returns the time as a `MicroTime` (Kubernetes API, meta/v1). */
function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}
