import { utf8 } from '../../../../../formats/bytes.ts';
import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { z } from '../../../../../formats/schema.ts';
import { inputDigest } from '../../../../kernel/plan/index.ts';
import type { ApplyPlan, PlannedComponent, PlannedObject, PlannedSolution } from '../desired/index.ts';
import { type ApplySession, fieldAt } from '../server/index.ts';
import { readRecord, storeRecord } from './records/index.ts';

/** What is remembered of Jobs that are removed some time after they have ended (batch/v1, "TTL-after-finished"). */
export interface FinishedJobs {
  /** The keys of those that have ended well in just the form in which they are stated, and that are gone since. */
  readonly gone: ReadonlySet<string>;
  /** By Solution and component: the digest of each Job in the form in which it has ended, by its key. */
  readonly known: Map<string, ReadonlyMap<string, string>>;
}

const shape = z.record(z.string(), z.string());

/** Reads what is remembered of such Jobs of a plan, and looks which of them are gone. */
export async function readFinishedJobs(plan: ApplyPlan, session: ApplySession): Promise<FinishedJobs> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const gone = new Set<string>();
  for (const { name: solution, components } of plan.solutions) {
    for (const component of components) {
      const jobs = briefJobs(component);
      if (jobs.length === 0) continue;
      const bytes = await readRecord({ solution, about: aboutOf(component.name) }, session);
      const ended = new Map(Object.entries(bytes === undefined ? {} : parsed(bytes)));
      known.set(placeOf(solution, component.name), ended);
      for (const { key, name, object } of jobs) {
        if (ended.get(key) !== inputDigest(object)) continue;
        if ((await session.api.read(name, session.flow.signal)) === undefined) gone.add(key);
      }
    }
  }
  return { gone, known };
}

/** Remembers that the Jobs of components of a Solution have ended well. Changes nothing where that is known. */
export async function noteFinishedJobs(
  { name: solution, components }: PlannedSolution,
  ready: readonly string[],
  { known }: FinishedJobs,
  session: ApplySession,
): Promise<void> {
  for (const component of components) {
    const jobs = ready.includes(component.name) ? briefJobs(component) : [];
    const before = known.get(placeOf(solution, component.name));
    const now = jobs.map(({ key, object }): [string, string] => [key, inputDigest(object)]);
    if (now.every(([key, digest]) => before?.get(key) === digest)) continue;
    const bytes = utf8(JSON.stringify(Object.fromEntries(now)));
    await storeRecord({ solution, about: aboutOf(component.name) }, bytes, session);
    known.set(placeOf(solution, component.name), new Map(now));
  }
}

/** Returns the Jobs of a component that are removed some time after they have ended. */
function briefJobs({ objects }: PlannedComponent): PlannedObject[] {
  return objects.filter(
    ({ object }) =>
      object.kind === 'Job' &&
      groupOf(object) === 'batch' &&
      fieldAt(object, 'spec', 'ttlSecondsAfterFinished') !== undefined,
  );
}

function aboutOf(component: string): string {
  return `jobs.${component}`;
}

function placeOf(solution: string, component: string): string {
  return `${solution}/${component}`;
}

function parsed(bytes: Uint8Array): Readonly<Record<string, string>> {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(bytes).toString())).data ?? {};
  } catch {
    return {};
  }
}
