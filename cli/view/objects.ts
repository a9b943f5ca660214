import type { Action, AppliedObject } from '../../lib/index.ts';
import { plain } from '../io.ts';

type Objects = readonly AppliedObject[];

const actions: readonly Action[] = ['created', 'changed', 'replaced', 'unchanged', 'ran', 'removed', 'kept'];

/** Counts actions, without those that did not happen: `3 created, 8 unchanged`. */
export function objectCounts(objects: Objects): string {
  return actions
    .map((action) => ({ action, number: objects.filter((object) => object.action === action).length }))
    .filter(({ number }) => number > 0)
    .map(({ action, number }) => `${number} ${action}`)
    .join(', ');
}

/** Names what was done to objects, as rows; what was left as it was is left out. */
export function objectChanges(objects: Objects): string[][] {
  const changed = objects.filter(({ action }) => action !== 'unchanged');
  return changed.map(({ object, action }) => [`  ${action}`, plain(object)]);
}
