import type { Flow } from '../lib/index.ts';

/** Returns a flow that says no notice twice, as where something is foreseen first and then done. */
export function tellingOnce(flow: Flow): Flow {
  const reported = new Set<string>();
  const onEvent: Flow['onEvent'] = (event) => {
    if (event.type === 'notice') {
      const said = JSON.stringify(event);
      if (reported.has(said)) return;
      reported.add(said);
    }
    flow.onEvent(event);
  };
  return { ...flow, onEvent };
}
