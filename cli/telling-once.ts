import type { Flow } from '../lib/index.ts';

/** Returns a flow that tells no notice twice, as where something is foreseen first and then done. */
export function tellingOnce(flow: Flow): Flow {
  const told = new Set<string>();
  const onEvent: Flow['onEvent'] = (event) => {
    const said = JSON.stringify(event);
    if (event.type === 'notice' && told.has(said)) return;
    told.add(said);
    flow.onEvent(event);
  };
  return { ...flow, onEvent };
}
