import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Flow, SolpackError } from '../../../../kernel/events/index.ts';
import type { AgentLease } from '../../agent-cluster.ts';
import { MANAGED_BY } from '../desired/index.ts';
import { elapsedSince, moment } from '../memory/index.ts';
import { ApiError, type KubernetesApi, type LiveObject, type ObjectName, orRefusal, textAt } from '../server/index.ts';

/** Time limits for choosing a leader, in milliseconds. */
export interface LeaderTiming {
  /** Without a sign of life for so long, a leader counts as gone. */
  readonly lease: number;
  /** Between two looks of those who wait, and between two signs of life. */
  readonly look: number;
}

/** What Kubernetes' own controllers take. */
export const leaderTiming: LeaderTiming = { lease: 15_000, look: 2_000 };

/** How long giving up a Lease may take. One that is not given up is taken over later. */
const RELEASE = 2_000;

interface Candidate {
  readonly name: ObjectName;
  readonly identity: string;
  readonly api: KubernetesApi;
  readonly flow: Flow;
  readonly timing: LeaderTiming;
}

/**
 * Does `work` while this process has a Lease (coordination.k8s.io/v1), as controllers of Kubernetes choose their
 * leader. Where the Lease is lost, or could not be renewed for as long as it lasts, the flow of `work` is aborted at
 * once, and the Lease is waited for anew.
 */
export async function leading<T>(
  { namespace, name }: AgentLease,
  { api, flow, timing = leaderTiming }: Pick<Candidate, 'api' | 'flow'> & { readonly timing?: LeaderTiming },
  work: (flow: Flow) => Promise<T>,
  onTerm: (isLeader: boolean) => void,
): Promise<T> {
  const identity = `${hostname()}_${randomBytes(4).toString('hex')}`;
  const wanted = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', name, namespace };
  const candidate: Candidate = { name: wanted, identity, api, flow, timing };
  for (let hasLed = false; ; hasLed = true) {
    const held = await acquire(candidate, hasLed);
    const [lost, done] = [new AbortController(), new AbortController()];
    const keeping = keep(candidate, held, done.signal).catch((error) => lost.abort(error));
    try {
      onTerm(true);
      return await work({ ...flow, signal: AbortSignal.any([flow.signal, lost.signal]) });
    } catch (error) {
      if (!lost.signal.aborted || flow.signal.aborted) throw error;
      const why = lost.signal.reason instanceof Error ? lost.signal.reason.message : 'it is lost';
      flow.onEvent({ type: 'notice', subject: `Lease ${namespace}/${name}`, message: `no longer leads: ${why}` });
    } finally {
      onTerm(false);
      done.abort();
      await keeping;
      await release(candidate);
    }
  }
}

/**
 * Waits until the Lease is free, or its leader was silent for too long by the clock of this process. Throws what the
 * server refuses. Whoever `hasLed`, or has seen the Lease, waits for rights too: a server that starts anew refuses
 * everybody until it has loaded them.
 */
async function acquire(candidate: Candidate, hasLed: boolean): Promise<LiveObject> {
  const { name, identity, api, flow, timing } = candidate;
  let seen: { holder: string; version: string; since: ReturnType<typeof elapsedSince> } | undefined;
  let lastHolder: string | undefined;
  let refused: string | undefined;
  const passes = (error: ApiError): boolean => {
    if (error.status === 0 || error.status >= 500) return true;
    if ((!hasLed && seen === undefined) || (error.status !== 401 && error.status !== 403)) return false;
    if (error.message !== refused) {
      flow.onEvent({
        type: 'notice',
        subject: `Lease ${name.namespace}/${name.name}`,
        message: `${error.message}; retrying`,
      });
    }
    refused = error.message;
    return true;
  };
  for (;;) {
    const live = await orRefusal(() => api.read(name, flow.signal), flow.signal);
    if (live instanceof ApiError && !passes(live)) throw live;
    if (!(live instanceof ApiError)) {
      const holder = textAt(live, 'spec', 'holderIdentity');
      const version = live?.metadata.resourceVersion ?? '';
      if (seen?.version !== version || seen.holder !== holder)
        seen = { holder, version, since: elapsedSince(moment()) };
      if (holder === '' || holder === identity || seen.since.since() > timing.lease) {
        const held = await orRefusal(() => write(candidate, live, true), flow.signal);
        if (!(held instanceof ApiError)) return held;
        if (held.status !== 409 && held.status !== 404 && !passes(held)) throw held;
      } else if (lastHolder !== holder) {
        lastHolder = holder;
        flow.onEvent({ type: 'step', step: 'wait', subject: `${holder} leads` });
      }
    }
    await wait(timing.look, flow.signal);
  }
}

/** Renews the Lease until `ended`. Throws where it is lost. */
async function keep(candidate: Candidate, held: LiveObject, ended: AbortSignal): Promise<void> {
  const { name, identity, api, timing } = candidate;
  const age = elapsedSince(moment());
  for (let last = held; ; ) {
    await wait(timing.look, ended).catch(() => undefined);
    if (ended.aborted) return;
    const left = timing.lease - age.since();
    if (left <= 0) throw lost(candidate, 'it could not be renewed in time');
    const signal = AbortSignal.any([ended, AbortSignal.timeout(Math.ceil(left))]);
    const begun = moment();
    try {
      last = await write({ ...candidate, flow: { ...candidate.flow, signal } }, last, false);
      age.restart(begun);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) continue;
      const live = await api.read(name, signal).catch(() => last);
      const holder = textAt(live, 'spec', 'holderIdentity');
      if (live === undefined || holder !== identity) throw lost(candidate, `${holder || 'nobody'} has it`);
      last = live;
    }
  }
}

async function release(candidate: Candidate): Promise<void> {
  const { name, identity, api, flow } = candidate;
  const signal = AbortSignal.timeout(RELEASE);
  try {
    const live = await api.read(name, signal);
    if (textAt(live, 'spec', 'holderIdentity') !== identity) return;
    await write({ ...candidate, identity: '', flow: { ...flow, signal } }, live, false);
  } catch {
    // Whoever waits takes it over a moment later.
  }
}

/** Writes the Lease on top of what was seen of it. Where two do that, the server refuses one of them. */
function write(
  { name, identity, api, flow, timing }: Candidate,
  seen: LiveObject | undefined,
  isNew: boolean,
): Promise<LiveObject> {
  const { apiVersion, kind, namespace = '' } = name;
  const expected = seen && { uid: seen.metadata.uid, resourceVersion: seen.metadata.resourceVersion };
  const now = new Date().toISOString().replace('Z', '000Z');
  const before = textAt(seen, 'spec', 'acquireTime');
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(timing.lease / 1000),
    acquireTime: isNew || before === '' ? now : before,
    renewTime: now,
  };
  const metadata = { name: name.name, namespace, labels: MANAGED_BY, ...expected };
  // Each has a manager of its own, so that nobody makes what another one has just made into his.
  const options = { manager: `solpack-agent-${identity}`.slice(0, 128), force: seen !== undefined };
  return api.apply({ apiVersion, kind, metadata, spec }, options, flow.signal);
}

function lost({ name }: Candidate, why: string): SolpackError {
  return new SolpackError('configuration-busy', `Lease ${name.namespace}/${name.name}`, why, {
    hint: 'another replica continues the work',
  });
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}
