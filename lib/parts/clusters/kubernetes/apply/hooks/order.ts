import { byteOrder } from '../../../../../../formats/bytes.ts';
import type { HookEvent } from '../../../../../../formats/manifest/hooks.ts';
import { inPhases, type PlannedHook } from '../../desired/index.ts';

/**
 * Returns the hooks of an event in the order in which they run: by weight, then by kind, then by name (Helm, "Hooks").
 */
export function hooksFor(event: HookEvent, hooks: readonly PlannedHook[]): PlannedHook[] {
  const own = hooks.filter(({ hook }) => hook.events.includes(event));
  const named = own.toSorted((a, b) => byteOrder(a.name.name, b.name.name));
  return inPhases(named, ({ object }) => object).sort((a, b) => a.hook.weight - b.hook.weight);
}

/** Names a hook of a component: its event, and its position among those of that event. */
export function hookId(event: HookEvent, position: number): string {
  return `${event} ${position}`;
}
