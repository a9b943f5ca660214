import { type ApplyPlan, type Inventory, PART_OF, parseGroupKind, phaseOf, setOf } from '../desired/index.ts';
import type { Inventories } from '../memory/index.ts';
import { ApiError, type ApplySession, type LiveObject, orRefusal } from '../server/index.ts';
import { isTrace } from './namespace-contents.ts';
import { unwanted } from './prune.ts';

/** The phase of namespaces. */
export const NAMESPACES: number = phaseOf({ apiVersion: 'v1', kind: 'Namespace' });

/** A member of a set that is no longer wanted. */
export interface Leftover {
  readonly object: LiveObject;
  readonly inventory: Inventory;
}

/** What is no longer wanted of some Solutions. */
export interface Leftovers {
  /** In the order in which they are removed, those of a phase together: namespaces last. */
  readonly phases: readonly { readonly phase: number; readonly left: readonly Leftover[] }[];
  /** By Solution: kinds of its inventory that the server does not serve now, so that their objects cannot be seen. */
  readonly unseen: ReadonlyMap<string, readonly string[]>;
}

/** Finds the members of Solutions that are no longer wanted; `wanted` has the keys of all objects that stay. */
export async function findLeftovers(
  inventories: readonly Inventory[],
  wanted: { has(key: string): boolean },
  session: ApplySession,
): Promise<Leftovers> {
  const all: Leftover[] = [];
  const unseen = new Map<string, readonly string[]>();
  for (const inventory of inventories) {
    const found = await membersOf(inventory, session);
    all.push(...unwanted(found.members, inventory, wanted).map((object) => ({ object, inventory })));
    unseen.set(inventory.solution, found.unseen);
  }
  const phases = new Set([...all.map(({ object }) => phaseOf(object)), NAMESPACES]);
  return {
    phases: [...phases]
      .sort((a, b) => b - a)
      .map((phase) => ({
        phase,
        left: all.filter(({ object }) => phaseOf(object) === phase),
      })),
    unseen,
  };
}

/** Tells in which Solutions a plan looks for what is no longer wanted, and what stays of them. */
export function retiringOf(
  plan: ApplyPlan,
  inventories: Inventories,
): { readonly searched: readonly Inventory[]; readonly wanted: { has(key: string): boolean } } {
  const before = plan.solutions.flatMap(({ set }) => inventories.get(set) ?? []);
  return {
    searched: [...before, ...othersOf(plan, inventories)],
    wanted: { has: (key) => plan.objects.has(key) || isStaying(plan, key) },
  };
}

/** Decides whether what a hook has made stays, because it runs at another event than that of a removal. */
function isStaying({ hooks }: ApplyPlan, key: string): boolean {
  return hooks.get(key)?.some(({ hook }) => hook.events.some((event) => !event.endsWith('-delete'))) === true;
}

/** Returns the Solutions that the same configuration brought and no longer has. */
export function othersOf(plan: ApplyPlan, inventories: Inventories): Inventory[] {
  const sets = new Set(plan.solutions.map(({ set }) => set));
  const others = [...inventories].filter(
    ([set, { configuration }]) => configuration === plan.configuration && !sets.has(set),
  );
  return others.map(([, inventory]) => inventory);
}

async function membersOf(
  { solution, groupKinds }: Inventory,
  { api, flow: { signal } }: ApplySession,
): Promise<{ members: LiveObject[]; unseen: string[] }> {
  const discovery = await api.discover(signal);
  const members: LiveObject[] = [];
  const unseen: string[] = [];
  for (const groupKind of groupKinds) {
    const { group, kind } = parseGroupKind(groupKind);
    const resource = discovery.preferred(group, kind);
    if (resource === undefined) unseen.push(groupKind);
    else
      members.push(...(await api.list(resource, { labels: `${PART_OF}=${setOf(solution)}`, metadata: true }, signal)));
  }
  return { members, unseen };
}

/** Lists all that lives in a namespace; the refusal of the server where that cannot be seen. */
export async function contentOfNamespace(
  namespace: string,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject[] | ApiError> {
  const { resources } = await api.discover(signal);
  const found = new Map<string, LiveObject>();
  for (const resource of resources) {
    const { group, kind, verbs } = resource;
    // Resources that cannot be deleted are not stored either, such as the metrics of Pods.
    if (!resource.namespaced || isTrace(resource) || !verbs.includes('list') || !verbs.includes('delete')) continue;
    const preferred = (await api.discover(signal)).preferred(group, kind);
    if (preferred !== undefined && preferred.version !== resource.version) continue;
    const listed = await orRefusal(() => api.list(resource, { namespace }, signal), signal);
    if (listed instanceof ApiError) return listed;
    for (const object of listed) found.set(object.metadata.uid, object);
  }
  return [...found.values()];
}
