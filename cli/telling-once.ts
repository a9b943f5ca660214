import type { Flow } from '../lib/index.ts';

/** Returns a flow that says no notice twice, as where something is foreseen first and then done. */
export function tellingOnce(flow: Flow): Flow {
  const told = new Set<string>();
  const onEvent: Flow['onEvent'] = (event) => {
    if (event.type === 'notice') {
      const said = JSON.stringify(event);
      if (told.has(said)) return;
      told.add(said);
    }
    flow.onEvent(event);
  };
  return { ...flow, onEvent };
}
