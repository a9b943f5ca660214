import { PART_OF } from '../desired/index.ts';
import { type ApplySession, isManager, type LiveObject } from '../server/index.ts';
import type { Owner } from './ownership.ts';

type ManagedFields = NonNullable<LiveObject['metadata']['managedFields']>;
type Entry = ManagedFields[number];

/** The fields of an object that earlier managers of solpack set, assigned to another manager. */
export interface Heritage {
  /** All of these managers, also the new one where it has set something. */
  readonly managers: readonly string[];
  /** The fields of all of them, as fields of the new one. */
  readonly managedFields: ManagedFields;
}

/**
 * Returns the fields that `manager` inherits of an object that other managers of solpack applied: the one that earlier
 * versions used for all configurations, or that of the configuration which had the object before. Without this, fields
 * that are no longer stated would stay. Undefined where there are no such managers.
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

/** Returns the same for an object of a Solution that its owner may take. */
export function legacyOf(live: LiveObject, { manager, sets }: Owner): Heritage | undefined {
  const set = live.metadata.labels?.[PART_OF];
  return set !== undefined && sets.has(set) ? heritageOf(live, manager) : undefined;
}

/** Assigns the fields of other managers of solpack to this one. Returns the object as it then is. */
export async function inherit(
  live: LiveObject,
  heritage: Heritage | undefined,
  { api, flow: { signal } }: ApplySession,
): Promise<LiveObject> {
  return heritage === undefined ? live : api.reassign(live, heritage.managedFields, signal);
}

/** Returns options for a dry run that sees the object as if the fields were inherited already. */
export function asHeir(live: LiveObject | undefined, owner: Owner): { manager: string; force?: true } {
  const managers = (live && legacyOf(live, owner)?.managers) ?? [owner.manager];
  return managers.length === 1 ? { manager: managers[0]! } : { manager: owner.manager, force: true };
}

function isApplied({ operation, subresource = '' }: Entry): boolean {
  return operation === 'Apply' && subresource === '';
}

/** Returns the fields of both (FieldsV1: a tree of names). */
function union(a: Entry['fieldsV1'] & object, b: Entry['fieldsV1'] & object): Entry['fieldsV1'] & object {
  const all: Record<string, unknown> = { ...a };
  for (const [name, below] of Object.entries(b))
    all[name] = union((all[name] ?? {}) as object & typeof a, below as typeof a);
  return all as typeof a;
}
