import { pool } from '../../../../../kernel/events/index.ts';
import { type ApplyPlan, isFoundation, isSteady, objectKey, PART_OF, type PlannedObject } from '../../desired/index.ts';
import { type ApplySession, type LiveObject, nameOf } from '../../server/index.ts';

/** How many requests are under way at once. */
const ASKED = 8;

/** An object as it was seen: of kinds that hold nothing but data, type and metadata alone. */
export interface Seen {
  readonly live: LiveObject;
  readonly isWhole: boolean;
}

/**
 * Looks at all objects of a plan, by their keys: lists each kind of a Solution once, and asks alone for what is not
 * there, which may have lost its label. What is missing in the end is not there.
 */
export async function lookAtObjects({ objects }: ApplyPlan, session: ApplySession): Promise<ReadonlyMap<string, Seen>> {
  const { api, flow } = session;
  const discovery = await api.discover(flow.signal);
  const alike = Map.groupBy(objects.values(), ({ name, set }) => `${name.apiVersion} ${name.kind} ${set}`);
  const seen = new Map<string, Seen>();
  await pool(alike.values(), { limit: ASKED, signal: flow.signal }, async ([first], signal) => {
    const { name, set } = first!;
    const resource = discovery.find(name.apiVersion, name.kind);
    if (resource === undefined) return;
    const isData = isSteady(name) && !isFoundation(name);
    const filter = { labels: `${PART_OF}=${set}`, ...(isData ? { metadata: true as const } : {}) };
    for (const live of await api.list(resource, filter, signal)) {
      const key = objectKey(nameOf(live));
      if (objects.has(key)) seen.set(key, { live, isWhole: !isData });
    }
  });
  const missing = [...objects.values()].filter(({ key }) => !seen.has(key));
  await pool(missing, { limit: ASKED, signal: flow.signal }, async ({ key, name }, signal) => {
    const live = await api.read(name, signal);
    if (live !== undefined) seen.set(key, { live, isWhole: true });
  });
  return seen;
}

/** Returns an object as a whole, which may be gone by now. */
export async function whole(
  { name }: PlannedObject,
  { live, isWhole }: Seen,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject | undefined> {
  return isWhole ? live : api.read(name, signal);
}
