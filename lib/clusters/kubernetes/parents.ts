import { SolpackError } from '../../errors.ts';
import { type LiveObject, nameOf, type ObjectName, wordsOf } from './api.ts';
import {
  HOME,
  type Inventory,
  inventoryOf,
  MANAGED_BY,
  parentName,
  parentOf,
  SET_ID,
  setOf,
  toolOf,
} from './applyset.ts';
import { untilGone } from './gone.ts';
import { isOurs } from './ownership.ts';
import { look, type Session } from './session.ts';

const home: ObjectName = { apiVersion: 'v1', kind: 'Namespace', name: HOME };

/** What the cluster remembers of all Solutions, by the ids of their sets. */
export async function readInventories({ api, flow: { signal } }: Session): Promise<Map<string, Inventory>> {
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

/**
 * Writes what is remembered of a Solution. It says what is going to be there before it is, and what is gone only once
 * it is gone. Throws `object-conflict` where the place of the parent is taken by somebody else's object.
 */
export async function writeInventory(inventory: Inventory, session: Session): Promise<void> {
  const { api, flow } = session;
  const parent = parentOf(inventory);
  const live = await api.read(nameOf(parent), flow.signal);
  if (live !== undefined && inventoryOf(live) === undefined) throw taken(live);
  if (live === undefined) await requireHome(session);
  // Nobody else has a say in it: what was changed by hand is put right.
  await api.apply(parent, { force: true }, flow.signal);
}

/** Forgets a Solution of which nothing is left. */
export async function removeInventory(solution: string, { api, flow: { signal } }: Session): Promise<void> {
  const name: ObjectName = { apiVersion: 'v1', kind: 'ConfigMap', name: parentName(solution), namespace: HOME };
  await api.remove(name, { propagation: 'Background' }, signal);
}

/** Makes the namespace of the parents where it is absent; one that somebody is deleting is made again. */
export async function requireHome(session: Session): Promise<void> {
  const { api, flow, timing } = session;
  const live = await look(home, session);
  if (live instanceof Error) throw live;
  if (live !== undefined && live.metadata.deletionTimestamp === undefined) return;
  if (live !== undefined) await untilGone([live], timing.removal, session);
  const { apiVersion, kind, name } = home;
  await api.apply({ apiVersion, kind, metadata: { name, labels: MANAGED_BY } }, {}, flow.signal);
}

function taken(live: LiveObject): SolpackError {
  const tool = toolOf(live.metadata.annotations);
  const whose = isOurs(live) ? 'is an object of a Solution' : tool === '' ? "is somebody else's" : `belongs to ${tool}`;
  const words = wordsOf(nameOf(live));
  return new SolpackError('object-conflict', words, `it ${whose}, but is where solpack keeps its inventory`, {
    hint: `look at it with "kubectl get ${live.kind.toLowerCase()} ${live.metadata.name} -n ${HOME} -o yaml", and remove it if nobody needs it`,
  });
}
