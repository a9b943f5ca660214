import { byteOrder } from '../../../../../formats/bytes.ts';
import { instanceParts, isInstanceOf } from '../../../../../formats/solution/environments.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import type { InventoryEntry } from '../../kind.ts';
import {
  type ApplyPlan,
  HOME,
  type Inventory,
  inventoryOf,
  MANAGED_BY,
  parentName,
  parentOf,
  SET_ID,
  setOf,
  toolOf,
} from '../desired/index.ts';
import {
  ApiError,
  type ApplySession,
  awaitRemoval,
  type LiveObject,
  managerOf,
  nameOf,
  type ObjectName,
  readOrRefusal,
  wordsOf,
} from '../server/index.ts';
import { heritageOf, inherit } from './inherit-fields.ts';
import { type Inventories, isOurs } from './ownership.ts';

/** How often writing a parent is repeated when somebody else writes it at the same time. */
const TRIES = 5;

const home: ObjectName = { apiVersion: 'v1', kind: 'Namespace', name: HOME };

/** Reads the inventories of all Solutions, by the ids of their sets. */
export async function readInventories({ api, flow: { signal } }: ApplySession): Promise<Map<string, Inventory>> {
  const configMaps = (await api.discover(signal)).find('v1', 'ConfigMap');
  if (configMaps === undefined) return new Map();
  const parents = await api.list(configMaps, { namespace: HOME, labels: SET_ID }, signal);
  return new Map(
    parents.flatMap((parent) => {
      const inventory = inventoryOf(parent);
      return inventory === undefined ? [] : [[setOf(inventory.solution), inventory] as const];
    }),
  );
}

/** Returns what the cluster remembers to those who do not know of sets, by the names of Solutions. */
export function inventoryEntries(inventories: Inventories): InventoryEntry[] {
  return [...inventories.values()]
    .map(({ solution, version, root, configuration, state, relations }) => ({
      name: solution,
      version,
      root,
      configuration,
      state,
      relations,
    }))
    .sort((a, b) => byteOrder(a.name, b.name));
}

/**
 * Makes sure that no other configuration brought, and still wants, a Solution of a plan. Throws `object-conflict` with
 * all of those.
 */
export function requireOwned(
  { configuration, solutions }: Pick<ApplyPlan, 'configuration' | 'solutions'>,
  inventories: Inventories,
): void {
  const taken = solutions.flatMap(({ set }) => {
    const inventory = inventories.get(set);
    return inventory !== undefined && isOthers(inventory, configuration) ? [inventory] : [];
  });
  if (taken.length > 0) throw foreign(taken, configuration);
}

/**
 * Writes the inventory of a Solution into its parent. It is written before objects are made, and again after they are
 * gone. Throws `object-conflict` where the parent's place is taken by somebody else's object, or where another
 * configuration has written it for its own Solution of that name, unless it `isTaken` from that.
 */
export async function writeInventory(inventory: Inventory, session: ApplySession, isTaken = false): Promise<void> {
  const { api, flow } = session;
  const parent = parentOf(inventory);
  const manager = managerOf(inventory.configuration);
  for (let tries = 1; ; tries += 1) {
    const live = await api.read(nameOf(parent), flow.signal);
    if (live === undefined) await requireHome(session);
    else requireOwn(live, isTaken ? (inventoryOf(live)?.configuration ?? '') : inventory.configuration);
    try {
      const own = live && (await inherit(live, heritageOf(live, manager), session));
      const metadata = { ...parent.metadata, ...(own && { resourceVersion: own.metadata.resourceVersion }) };
      // Nobody else may change a parent: manual changes are overwritten.
      await api.apply({ ...parent, metadata }, { manager, force: own !== undefined }, flow.signal);
      return;
    } catch (error) {
      // Another run was faster: the next read shows whose it is now.
      if (!(error instanceof ApiError) || error.status !== 409 || tries === TRIES) throw error;
    }
  }
}

/** Removes the inventory of a Solution of which nothing is left, unless another configuration has it by now. */
export async function removeInventory({ solution, configuration }: Inventory, session: ApplySession): Promise<void> {
  const { api, flow } = session;
  const name: ObjectName = { apiVersion: 'v1', kind: 'ConfigMap', name: parentName(solution), namespace: HOME };
  const live = await api.read(name, flow.signal);
  if (live === undefined || inventoryOf(live)?.configuration !== configuration) return;
  const { uid, resourceVersion } = live.metadata;
  await api.remove(name, { uid, resourceVersion, propagation: 'Background' }, flow.signal);
}

function requireOwn(live: LiveObject, configuration: string): void {
  const inventory = inventoryOf(live);
  if (inventory === undefined) throw taken(live);
  if (isOthers(inventory, configuration)) throw foreign([inventory], configuration);
}

/** Finds the inventories of Solutions that a plan takes from other configurations. */
export function takenBy(
  { configuration, takeOver = [] }: Pick<ApplyPlan, 'configuration' | 'takeOver'>,
  inventories: Inventories,
): Inventory[] {
  return [...inventories.values()].filter(
    (one) => isOthers(one, configuration) && takeOver.some((name) => isInstanceOf(one.solution, name)),
  );
}

/** Decides whether another configuration brought a Solution and has not removed it. */
function isOthers({ configuration, state }: Inventory, own: string): boolean {
  return configuration !== own && configuration !== '' && state !== 'removed';
}

function foreign(inventories: readonly Inventory[], configuration: string): SolpackError {
  const words = inventories.map(
    (one) => `${one.solution} ${one.version} belongs to the configuration ${one.configuration}`,
  );
  return new SolpackError('object-conflict', `configuration ${configuration}`, words.join('; '), {
    hint: `use that configuration, remove the Solution there first, or take it over by --take-over ${instanceParts(inventories[0]!.solution).name}`,
  });
}

/** Makes the namespace of the parents where it is absent. Waits for one that is being deleted, and makes it again. */
export async function requireHome(session: ApplySession): Promise<void> {
  const { api, flow, timing } = session;
  const live = await readOrRefusal(home, session);
  if (live instanceof Error) throw live;
  if (live !== undefined && live.metadata.deletionTimestamp === undefined) return;
  if (live !== undefined) await awaitRemoval([live], timing.removal, session);
  const { apiVersion, kind, name } = home;
  await api.apply({ apiVersion, kind, metadata: { name, labels: MANAGED_BY } }, {}, flow.signal);
}

function taken(live: LiveObject): SolpackError {
  const tool = toolOf(live.metadata.annotations);
  const whose = isOurs(live) ? 'is an object of a Solution' : tool === '' ? "is somebody else's" : `belongs to ${tool}`;
  const words = wordsOf(nameOf(live));
  return new SolpackError('object-conflict', words, `it ${whose}, but has the name of the inventory of solpack`, {
    hint: `look at it with "kubectl get ${live.kind.toLowerCase()} ${live.metadata.name} -n ${HOME} -o yaml", and remove it if nobody needs it`,
  });
}
