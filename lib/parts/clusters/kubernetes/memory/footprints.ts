import { utf8 } from '../../../../../formats/bytes.ts';
import { groupKindOf } from '../../../../../formats/manifest/namespace.ts';
import { z } from '../../../../../formats/schema.ts';
import { inputDigest } from '../../../../kernel/plan/index.ts';
import { type ApplyPlan, objectKey, PART_OF, type PlannedObject, type PlannedSolution } from '../desired/index.ts';
import { type ApplySession, type LiveObject, nameOf } from '../server/index.ts';
import { listSolutionRecords, storeRecord } from './records/index.ts';

/** What records about applied objects are named by. */
const ABOUT = 'applied';

/**
 * What an object was like when it had been applied: the digest of what was sent, its uid, and the digest of which
 * fields are its manager's. Whoever changes the value of such a field takes it over, so that the same fields are the
 * same values (server-side apply, "Field management"). A server lists fields of custom resources in another order each
 * time, which does not count.
 */
type Footprint = readonly [sent: string, uid: string, fields: string];

/** What objects of a Solution were like when they had been applied, by their keys. */
export type Footprints = ReadonlyMap<string, Footprint>;

const shape = z.record(z.string(), z.tuple([z.string(), z.string(), z.string()]));

/** Reads what all Solutions were like, by their names. What cannot be read counts as unknown. */
export async function readFootprints(session: ApplySession): Promise<ReadonlyMap<string, Footprints>> {
  const found = new Map<string, Footprints>();
  for (const { solution, bytes } of await listSolutionRecords(ABOUT, session)) {
    const prints = parse(bytes);
    if (prints !== undefined) found.set(solution, new Map(Object.entries(prints)));
  }
  return found;
}

/** Remembers what a Solution is like. */
export async function writeFootprints(solution: string, prints: Footprints, session: ApplySession): Promise<void> {
  const bytes = utf8(JSON.stringify(Object.fromEntries([...prints].sort(([a], [b]) => (a < b ? -1 : 1)))));
  await storeRecord({ solution, about: ABOUT }, bytes, session);
}

/**
 * Finds the objects of a plan that are still as they were applied, and would be applied as they were: they need no
 * look. Asks once for each kind. Returns their keys.
 */
export async function findUntouched(
  { solutions }: ApplyPlan,
  manager: string,
  known: ReadonlyMap<string, Footprints>,
  session: ApplySession,
): Promise<ReadonlySet<string>> {
  const untouched = new Set<string>();
  for (const solution of solutions) {
    const prints = known.get(solution.name);
    if (prints === undefined) continue;
    const live = await membersOf(solution, session);
    for (const planned of solution.components.flatMap(({ objects }) => objects)) {
      const now = live.get(planned.key);
      const last = prints.get(planned.key);
      if (now === undefined || last === undefined || now.metadata.deletionTimestamp !== undefined) continue;
      if (footprintOf(planned, now, manager)?.every((part, at) => part === last[at])) untouched.add(planned.key);
    }
  }
  return untouched;
}

/** Describes an object as it is after it was applied; undefined where the manager has no fields of it. */
export function footprintOf(
  { object }: Pick<PlannedObject, 'object'>,
  { metadata: { uid, managedFields = [] } }: LiveObject,
  manager: string,
): Footprint | undefined {
  const own = managedFields.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
  );
  return own && [inputDigest(object), uid, inputDigest(own)];
}

async function membersOf(
  { set, components }: PlannedSolution,
  { api, flow: { signal } }: ApplySession,
): Promise<ReadonlyMap<string, LiveObject>> {
  const discovery = await api.discover(signal);
  const objects = components.flatMap((component) => component.objects);
  const kinds = new Map(objects.map(({ name }) => [groupKindOf(name), name]));
  const found = new Map<string, LiveObject>();
  for (const { apiVersion, kind } of kinds.values()) {
    const resource = discovery.find(apiVersion, kind);
    if (resource === undefined) continue;
    const listed = await api.list(resource, { labels: `${PART_OF}=${set}`, metadata: true }, signal);
    for (const live of listed) found.set(objectKey(nameOf(live)), live);
  }
  return found;
}

function parse(bytes: Uint8Array): Readonly<Record<string, Footprint>> | undefined {
  try {
    return shape.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}
