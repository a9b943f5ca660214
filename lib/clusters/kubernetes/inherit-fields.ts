import { isManager, type LiveObject } from './api.ts';
import { PART_OF } from './applyset.ts';
import type { Owner } from './ownership.ts';
import type { ApplySession } from './session.ts';

type ManagedFields = NonNullable<LiveObject['metadata']['managedFields']>;
type Entry = ManagedFields[number];

/** What earlier managers of solpack have set of an object, as that of another one. */
export interface Heritage {
  /** All of them, the new one too where it has set something. */
  readonly managers: readonly string[];
  /** The fields of all, as those of the new one. */
  readonly managedFields: ManagedFields;
}

/**
 * What `manager` gets of an object that other managers of solpack applied: the one of all configurations that there was once, or
 * that of a configuration which it belonged to. Whoever applies it without would leave behind what it states no longer. Undefined
 * where there are none.
 */
export function heritageOf({ metadata }: LiveObject, manager: string): Heritage | undefined {
  const entries = metadata.managedFields ?? [];
  const ours = entries.filter((entry) => isApplied(entry) && isManager(entry.manager));
  const [first] = ours;
  if (first === undefined || ours.every((entry) => entry.manager === manager)) return undefined;
  const fieldsV1 = ours.map((entry) => entry.fieldsV1 ?? {}).reduce(union);
  return {
    managers: ours.map((entry) => entry.manager ?? ''),
    managedFields: [{ ...first, manager, fieldsV1 }, ...entries.filter((entry) => !ours.includes(entry))],
  };
}

/** The same for an object of a Solution, which has to be one that its owner may take. */
export function legacyOf(live: LiveObject, { manager, sets }: Owner): Heritage | undefined {
  const set = live.metadata.labels?.[PART_OF];
  return set !== undefined && sets.has(set) ? heritageOf(live, manager) : undefined;
}

/** Makes what others of solpack have set the manager's own. Returns the object as it is then. */
export async function inherit(
  live: LiveObject,
  heritage: Heritage | undefined,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject> {
  return heritage === undefined ? live : api.reassign(live, heritage.managedFields, signal);
}

/** How a dry run sees what applying will do once the fields are inherited. */
export function asHeir(live: LiveObject | undefined, owner: Owner): { manager: string; force?: true } {
  const managers = (live && legacyOf(live, owner)?.managers) ?? [owner.manager];
  return managers.length === 1 ? { manager: managers[0]! } : { manager: owner.manager, force: true };
}

function isApplied({ operation, subresource = '' }: Entry): boolean {
  return operation === 'Apply' && subresource === '';
}

/** Fields of either (FieldsV1: a tree of names). */
function union(a: Entry['fieldsV1'] & object, b: Entry['fieldsV1'] & object): Entry['fieldsV1'] & object {
  const all: Record<string, unknown> = { ...a };
  for (const [name, below] of Object.entries(b))
    all[name] = union((all[name] ?? {}) as object & typeof a, below as typeof a);
  return all as typeof a;
}
