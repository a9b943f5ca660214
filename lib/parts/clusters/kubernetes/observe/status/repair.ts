import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import { isRecord } from '../../../../../../formats/record.ts';
import { isInstanceOf } from '../../../../../../formats/solution/environments.ts';
import { pool, SolpackError } from '../../../../../kernel/events/index.ts';
import type { Permit, RenderedSolution } from '../../../kind.ts';
import type { Repair, RepairedObject } from '../../../presence.ts';
import { applyObject } from '../../apply/index.ts';
import { phaseOf } from '../../desired/index.ts';
import {
  type Applying,
  clearEnded,
  type Inventories,
  ownerOf,
  readContent,
  readHeaders,
  readInventories,
  requireOwned,
  rivalOf,
  withLease,
} from '../../memory/index.ts';
import { type ApplySession, definedKind, untilServed, wordsOf } from '../../server/index.ts';
import { type Assessed, type Assessment, assess } from './assess.ts';
import type { Drifted } from './drift.ts';
import { objectPlace, statusesOf } from './object-status.ts';
import type { OwnedStep } from './owned-fields.ts';
import { tellUnmet } from './probed.ts';

/** How often what drifted is put back: objects of a kind that was gone can be looked at when it is served again. */
const ROUNDS = 3;

/** What is repaired. */
export interface ToRepair {
  readonly configuration: string;
  /** Undefined is all of its Solutions. */
  readonly solution: string | undefined;
  /** Decides whether that may be put back. Left out: nobody decides. */
  readonly permit?: Permit | undefined;
}

/**
 * Puts back what has drifted, or is gone, of the newest generation of a configuration: those objects and no others,
 * with force. What an autoscaler set stays. No hook runs, and there is no new generation. The Lease is held where there
 * is something to do. Throws `generation-unfinished` where that generation is not one that went well, `object-conflict`
 * where an object belongs to another set, and what `permit` throws.
 */
export async function repairConfiguration(asked: ToRepair, session: ApplySession): Promise<Repair> {
  const { configuration } = asked;
  const { number, content } = await contentToRepair(asked, session);
  const first = await assess(configuration, content, session);
  if (isWhole(first)) {
    // A repair that was killed at its very end has left it.
    await clearEnded(configuration, session);
    return { generation: number, repaired: [], left: [] };
  }
  return withLease(configuration, session, async (own) => {
    // Whoever had the Lease until now may have installed something else.
    const now = await contentToRepair(asked, own);
    const repaired = new Map<string, RepairedObject>();
    let assessment = await assess(configuration, now.content, own);
    for (let round = 1; round <= ROUNDS && !isWhole(assessment); round += 1) {
      for (const one of await putBack(assessment, own)) {
        const before = repaired.get(one.object);
        repaired.set(one.object, before === undefined ? one : { ...one, action: before.action });
      }
      assessment = await assess(configuration, now.content, own);
    }
    await tellUnmet(assessment.plan.solutions, own);
    const amiss = assessment.objects.filter(isAmiss);
    const unserved = assessment.unserved.map(({ name }) => {
      const object = objectPlace(name);
      return { object, state: 'drifted' as const, reason: `object ${object} is gone, with its kind`, drift: [] };
    });
    const left = [...(await statusesOf(amiss, own)), ...unserved];
    return { generation: now.number, repaired: [...repaired.values()], left };
  });
}

/** Returns what is to be there. */
async function contentToRepair(
  { configuration, solution, permit }: ToRepair,
  session: ApplySession,
): Promise<{ number: number; content: readonly RenderedSolution[] }> {
  const [newest] = await readHeaders(configuration, session);
  const subject = `configuration ${configuration}`;
  if (newest === undefined) {
    throw new SolpackError('generation-absent', subject, 'the cluster remembers no generation of it', {
      hint: 'install it first, with this version of solpack',
    });
  }
  const { number, state } = newest;
  if (state !== 'ready') {
    const how = { applying: 'is being applied, or was interrupted', failed: 'has failed' }[state as string];
    const message = `generation ${number} ${how ?? 'was interrupted'}, so the wanted state is unknown`;
    throw new SolpackError('generation-unfinished', subject, message, {
      hint: 'install it again, or go back with "solpack rollback"',
    });
  }
  const all = await readContent(configuration, number, session);
  if (all !== undefined) {
    const content = all.filter(({ name }) => solution === undefined || isInstanceOf(name, solution));
    permit?.(configuration, newest, content);
    return { number, content };
  }
  throw new SolpackError('generation-absent', subject, `the record of generation ${number} is missing or damaged`, {
    hint: 'install it again from its archive',
  });
}

function isWhole({ objects, unserved }: Assessment): boolean {
  return unserved.length === 0 && !objects.some(isAmiss);
}

function isAmiss({ live, isOver, drift }: Assessed): boolean {
  if (live === undefined) return !isOver;
  return live.metadata.deletionTimestamp !== undefined || drift.length > 0;
}

/** Applies what is amiss, in the order of an install. */
async function putBack({ plan, objects }: Assessment, session: ApplySession): Promise<RepairedObject[]> {
  const inventories = await readInventories(session);
  requireOwned(plan, inventories);
  const amiss = objects.filter(isAmiss);
  const absent = new Set(amiss.filter(({ live }) => live === undefined).map(({ planned }) => planned.key));
  const owner = ownerOf({ ...plan, prune: false }, inventories);
  requireUnrivalled(amiss, owner, inventories);
  const none = { untouched: new Set<string>(), newQuotas: new Set<string>(), migrated: new Set<string>() };
  const applying: Applying = { ...session, ...none, force: true, owner, absent };
  const done: RepairedObject[] = [];
  const timeouts = new Map(
    plan.solutions.flatMap(({ name, components }) =>
      components.map((component) => [`${name}/${component.name}`, component.timeout] as const),
    ),
  );
  const timeoutOf = ({ planned: { solution, component } }: Assessed): number =>
    timeouts.get(`${solution}/${component}`)!;
  const phases = [...Map.groupBy(amiss, ({ planned }) => phaseOf(planned.object))].sort(([a], [b]) => a - b);
  for (const [, phase] of phases) {
    await pool(phase, { signal: session.flow.signal }, async (one, signal) => {
      const own = { ...applying, flow: { ...applying.flow, signal } };
      session.flow.onEvent({ type: 'step', step: 'repair', subject: wordsOf(one.planned.name) });
      const planned = { ...one.planned, object: withoutFields(one.planned.object, one.scaled) };
      const { action } = await applyObject(planned, timeoutOf(one), own);
      done.push(repairedOf(one, action as RepairedObject['action']));
    });
    const defined = new Set(phase.map(({ planned }) => definedKind(planned.object)));
    const users = objects
      .filter(({ planned: { name } }) => defined.has(`${groupOf(name)}/${name.kind}`))
      .map((one) => ({ name: one.planned.name, timeout: timeoutOf(one) }));
    if (users.length > 0) await untilServed(users, session);
  }
  return done;
}

function requireUnrivalled(amiss: readonly Assessed[], owner: Applying['owner'], inventories: Inventories): void {
  for (const { live, planned } of amiss) {
    const rival = live && rivalOf(live, owner, inventories);
    if (rival === undefined) continue;
    throw new SolpackError('object-conflict', wordsOf(planned.name), `now belongs to ${rival}`, {
      hint: 'decide who owns it, and run the same command again',
    });
  }
}

function repairedOf({ planned, drift }: Assessed, action: RepairedObject['action']): RepairedObject {
  const set = drift.filter(({ manager }) => manager !== null);
  const overrode = [...Map.groupBy(set, ({ manager }) => manager!)].map(([manager, fields]) => {
    return { manager, fields: fields.map(({ path }) => path) };
  });
  const restored = drift.filter(({ manager }) => manager === null).map(({ path }) => path);
  return { object: objectPlace(planned.name), action, overrode, restored };
}

/** Returns an object that does not state some fields. */
function withoutFields(object: KubernetesObject, fields: readonly Drifted[]): KubernetesObject {
  const copy = structuredClone(object);
  for (const { steps } of fields) leaveOut(copy, steps);
  return copy;
}

function leaveOut(value: unknown, [step, ...rest]: readonly OwnedStep[]): void {
  if (step === undefined) return;
  if ('entry' in step) {
    const entry = Array.isArray(value) ? value.find((one) => isRecord(one) && isAlike(one, step.entry)) : undefined;
    leaveOut(entry, rest);
  } else if (isRecord(value)) {
    if (rest.length === 0) delete value[step.field];
    else leaveOut(value[step.field], rest);
  }
}

/** Decides whether an entry is a copy of one by its name. */
function isAlike(one: Record<string, unknown>, entry: unknown): boolean {
  return isRecord(entry) && one['name'] === entry['name'];
}
