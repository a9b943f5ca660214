import { SolpackError } from '../../../../../kernel/events/index.ts';
import type { KeptRecord } from '../../../kind.ts';
import type { Inventory, PlannedSolution } from '../../desired/index.ts';
import type { ApplySession } from '../../server/index.ts';
import { readRecord, removeRecords } from './record.ts';

/**
 * Returns what a Solution wants to have remembered, and what is not remembered in these words already. Throws
 * `configuration-busy` where another run has remembered something else since this one looked.
 */
export async function newRecords(
  { name, records }: PlannedSolution,
  session: ApplySession,
): Promise<readonly KeptRecord[]> {
  const wanting: KeptRecord[] = [];
  for (const record of records) {
    const { about, bytes, replaces } = record;
    if (bytes === replaces) continue;
    const live = await readRecord({ solution: name, about }, session);
    if (same(live, bytes)) continue;
    if (live !== undefined && !same(live, replaces)) {
      const message = `another run has changed the record of it (${about}) since this one began`;
      throw new SolpackError('configuration-busy', `Solution ${name}`, message, { hint: 'run the same command again' });
    }
    wanting.push(record);
  }
  return wanting;
}

/**
 * Forgets what was remembered of components that a Solution no longer has. `before` is what the inventory said of it.
 */
export async function forgetComponents(
  { name, components }: PlannedSolution,
  before: Inventory | undefined,
  session: ApplySession,
): Promise<void> {
  const now = new Set(components.map((component) => component.name));
  if (before === undefined) return;
  // A run that did not finish has noted the new components already.
  if (before.state === 'ready' && before.components.every((component) => now.has(component))) return;
  await removeRecords(
    { solution: name },
    session,
    (about) => !about.includes('.') || now.has(about.slice(about.lastIndexOf('.') + 1)),
  );
}

function same(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(one, other) === 0;
}
