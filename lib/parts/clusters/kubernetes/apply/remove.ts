import { groupKindOf } from '../../../../../formats/manifest/namespace.ts';
import type { AppliedObject } from '../../kind.ts';
import type { Inventory } from '../desired/index.ts';
import { ApiError, type ApplySession, awaitRemoval, type LiveObject, nameOf, pause, wordsOf } from '../server/index.ts';
import { contentOfNamespace, findLeftovers, NAMESPACES } from './leftovers.ts';
import { isLeaving, keptFor, occupants } from './namespace-contents.ts';
import { keptBecause } from './prune.ts';

/** How often a namespace is looked at again whose last objects are being removed. */
const LOOKS = 10;

/** What was removed of one Solution. */
export interface Removal {
  /** In the order of removal. */
  readonly objects: readonly AppliedObject[];
  readonly kept: readonly LiveObject[];
  /** Kinds of the inventory that the server does not serve now, so that their objects cannot be seen. */
  readonly unseen: readonly string[];
}

/**
 * Removes the members of Solutions that are no longer wanted, in the opposite order of application, and waits until
 * they are gone. Objects that hold data stay. All Solutions are handled together: the namespace of one may hold objects
 * of another, and is empty when its turn comes. `beforeNamespaces` is called when all is gone but namespaces. Throws
 * `object-not-removed`. Returns what happened to each Solution.
 */
export async function removeUnwanted(
  inventories: readonly Inventory[],
  wanted: { has(key: string): boolean },
  session: ApplySession,
  beforeNamespaces: () => Promise<void>,
): Promise<ReadonlyMap<string, Removal>> {
  const { phases, unseen } = await findLeftovers(inventories, wanted, session);
  const removals = new Map<string, { objects: AppliedObject[]; kept: LiveObject[]; unseen: readonly string[] }>();
  for (const { solution } of inventories) {
    removals.set(solution, { objects: [], kept: [], unseen: unseen.get(solution) ?? [] });
  }
  for (const { phase, left } of phases) {
    if (phase === NAMESPACES) await beforeNamespaces();
    const going: LiveObject[] = [];
    for (const { object, inventory } of left) {
      const reason = await removeOne(object, inventory, session);
      const isGoing = reason === undefined;
      const { objects, kept } = removals.get(inventory.solution)!;
      const action = isGoing ? 'removed' : 'kept';
      const why = reason === undefined ? {} : { reason };
      objects.push({ object: wordsOf(nameOf(object)), action, component: undefined, ...why });
      (isGoing ? going : kept).push(object);
    }
    await awaitRemoval(going, session.timing.removal, session);
  }
  return removals;
}

/** Deletes an object. Returns, and reports, why where it has to be kept; undefined where it goes. */
async function removeOne(object: LiveObject, { state }: Inventory, session: ApplySession): Promise<string | undefined> {
  const { api, flow } = session;
  const subject = wordsOf(nameOf(object));
  const reason = keptBecause(object) ?? (await reasonToKeep(object, session));
  if (reason !== undefined) {
    // What was kept when its Solution was removed is not reported again each time.
    const message = `no longer wanted, but kept: ${reason}`;
    if (state !== 'removed') flow.onEvent({ type: 'notice', subject, message });
    return reason;
  }
  flow.onEvent({ type: 'step', step: 'remove', subject });
  await api.remove(nameOf(object), { uid: object.metadata.uid, propagation: 'Foreground' }, flow.signal);
  return undefined;
}

/** Returns what an inventory covers after a removal: `own`, what was kept, and what could not be seen. */
export function narrowed(
  own: Pick<Inventory, 'groupKinds' | 'namespaces'>,
  { kept, unseen }: Removal,
): Pick<Inventory, 'groupKinds' | 'namespaces'> {
  return {
    groupKinds: new Set([...own.groupKinds, ...kept.map(groupKindOf), ...unseen]),
    namespaces: new Set([...own.namespaces, ...kept.flatMap(({ metadata: { namespace } }) => namespace ?? [])]),
  };
}

/**
 * Explains why a namespace is kept: for the objects in it. Undefined for a namespace without any, and for other kinds.
 */
async function reasonToKeep(object: LiveObject, session: ApplySession): Promise<string | undefined> {
  if (object.apiVersion !== 'v1' || object.kind !== 'Namespace') return undefined;
  // A namespace that is being deleted cannot be kept.
  if (object.metadata.deletionTimestamp !== undefined) return undefined;
  for (let looks = 1; ; looks += 1) {
    const objects = await contentOfNamespace(object.metadata.name, session);
    if (objects instanceof ApiError) return `its contents cannot be listed: ${objects.message}`;
    const living = occupants(objects);
    if (looks === LOOKS || !living.every(isLeaving)) return keptFor(living);
    if (living.length === 0) return undefined;
    await pause(session.timing.poll, session);
  }
}
