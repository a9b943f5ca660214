import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { PlannedHook } from '../../desired/index.ts';
import { readinessOf, watchReadiness } from '../../health/index.ts';
import { type Applying, isOurs } from '../../memory/index.ts';
import {
  awaitRemoval,
  isDefinition,
  type LiveObject,
  nameOf,
  servedVersions,
  textAt,
  untilServed,
  wordsOf,
} from '../../server/index.ts';
import { applyObject } from '../apply-object.ts';
import { keptBecause } from '../prune.ts';

/** The annotation of what a hook has made: which run of it that was. */
const RUN = 'solpack.io/hook-run';

/** Kinds that run, and end, as `group/Kind`; a hook of another kind is there, and that is all (Helm, "Chart Hooks"). */
const runs: ReadonlySet<string> = new Set(['/Pod', 'batch/Job']);

/** Where hooks run. */
export interface HookPlace {
  readonly solution: string;
  readonly component: string;
  /** The version of the Solution that was there before. */
  readonly previous: string | undefined;
  /** Milliseconds that each hook may take. */
  readonly timeout: number;
}

/**
 * Runs a hook, and waits for a Job or a Pod until it has ended well. What an earlier run of it has left is deleted
 * first, unless its policy says otherwise; a Job and a Pod are never used again. What was made for this very `run` is
 * continued, unless it has failed. Throws `object-not-ready` with the cause, `object-conflict` for an object that
 * somebody else has made.
 */
export async function runHook(planned: PlannedHook, run: string, place: HookPlace, session: Applying): Promise<void> {
  const { api, flow } = session;
  const { name, object } = planned;
  const live = await api.read(name, flow.signal);
  if (live !== undefined && !isOf(live, run)) await makeRoom(live, planned, place, session);
  const annotations = { ...(object.metadata['annotations'] as object | undefined), [RUN]: run };
  const marked = { ...planned, object: { ...object, metadata: { ...object.metadata, annotations } } };
  await applyObject(marked, place.timeout, { ...session, absent: new Set() });
  if (!endsByItself(object) && !isDefinition(object)) return;
  const watch = watchReadiness({ name: place.solution, previous: place.previous }, session);
  watch.add(place.component, [marked], place.timeout);
  await watch.until();
  const kind = textAt(object, 'spec', 'names', 'kind');
  const expected = isDefinition(object) ? servedVersions(object) : [];
  await untilServed(
    expected.map((apiVersion) => ({ name: { ...name, apiVersion, kind }, timeout: place.timeout })),
    session,
  );
}

/** Deletes what a hook has made, if it is there and was made for this run of it. CustomResourceDefinitions stay. */
export async function removeHook({ name }: PlannedHook, run: string, session: Applying): Promise<void> {
  const { api, flow, timing } = session;
  const live = await api.read(name, flow.signal);
  if (live === undefined || live.metadata.annotations?.[RUN] !== run || keptBecause(live) !== undefined) return;
  await api.remove(nameOf(live), { uid: live.metadata.uid, propagation: 'Foreground' }, flow.signal);
  await awaitRemoval([live], timing.removal, session);
}

/** Decides whether a hook runs and ends. */
export function endsByItself({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  return runs.has(`${groupOf({ apiVersion })}/${kind}`);
}

/** Decides whether an object was made for a run that is to be continued. */
function isOf(live: LiveObject, run: string): boolean {
  const { annotations, deletionTimestamp } = live.metadata;
  if (annotations?.[RUN] !== run || deletionTimestamp !== undefined) return false;
  return !endsByItself(live) || readinessOf(live).state !== 'failed';
}

async function makeRoom(
  live: LiveObject,
  { hook, name }: PlannedHook,
  { component }: HookPlace,
  session: Applying,
): Promise<void> {
  const { api, flow, timing } = session;
  const mustGo = endsByItself(live);
  if (!mustGo && (!hook.deletion.includes('before-hook-creation') || keptBecause(live) !== undefined)) return;
  if (!isOurs(live)) {
    if (!mustGo) return;
    const message = `component ${component} has a hook of this name, but an object with it exists that solpack has not made`;
    const hint = 'remove it if nobody needs it, or rename one of them';
    throw new SolpackError('object-conflict', wordsOf(name), message, { hint });
  }
  if (live.metadata.deletionTimestamp === undefined) {
    await api.remove(name, { uid: live.metadata.uid, propagation: 'Foreground' }, flow.signal);
  }
  await awaitRemoval([live], timing.removal, session);
}
