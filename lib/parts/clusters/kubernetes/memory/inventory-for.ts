import { groupKindOf } from '../../../../../formats/manifest/namespace.ts';
import { type ApplyPlan, HOME, type Inventory, type PlannedSolution } from '../desired/index.ts';

/** Returns an inventory that also covers what another one covers. */
export function wider(inventory: Inventory, { groupKinds, namespaces }: Partial<Inventory> = {}): Inventory {
  return {
    ...inventory,
    groupKinds: new Set([...inventory.groupKinds, ...(groupKinds ?? [])]),
    namespaces: new Set([...inventory.namespaces, ...(namespaces ?? [])]),
  };
}

/** Returns what the inventory of a Solution says once it is ready. */
export function inventoryFor(
  { name, version, root, site, relations, components, set }: PlannedSolution,
  plan: ApplyPlan,
): Inventory {
  const all = [...plan.objects.values(), ...[...plan.hooks.values()].flat()];
  const own = all.filter((object) => object.set === set).map((object) => object.name);
  return {
    solution: name,
    version,
    root,
    site,
    configuration: plan.configuration,
    state: 'ready',
    previous: undefined,
    relations,
    components: components.map((component) => component.name),
    groupKinds: new Set(own.map(groupKindOf)),
    namespaces: new Set([HOME, ...own.flatMap(({ namespace }) => namespace ?? [])]),
  };
}
