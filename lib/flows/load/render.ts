import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { type ErrorCode, type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type Entry, probe, render, type UnpackedComponent } from '../../parts/components/index.ts';
import { whileUnmet } from './retry.ts';

/** An entry of a tree, and what is rendered from it. */
export interface Part {
  readonly entry: Entry;
  readonly component: UnpackedComponent;
}

/** What became of a part: its objects, or why there are none. */
export interface Outcome {
  readonly entry: Entry;
  readonly objects: readonly KubernetesObject[];
  readonly failure: SolpackError | undefined;
}

/** Failures of one component that say nothing about the others. A wrong configuration is not among them. */
const ownFailures: readonly ErrorCode[] = [
  'plugin-unmet',
  'plugin-failed',
  'tool-failed',
  'component-invalid',
  'path-escapes',
];

/**
 * Renders all parts in their order, after every one of them was probed. With `keepGoing` a part that fails by itself is
 * reported and left out; without, the first failure is thrown. A plugin whose precondition is unmet is run again for up
 * to `retryFor` milliseconds. Throws what the component kinds throw.
 */
export async function renderParts(
  parts: readonly Part[],
  { retryFor, keepGoing }: { readonly retryFor: number; readonly keepGoing: boolean },
  flow: Flow,
): Promise<Outcome[]> {
  for (const { entry, component } of parts) {
    flow.onEvent({ type: 'step', step: 'probe', subject: `${entry.kind} ${entry.folder}` });
    await probe(entry.kind, component, flow);
  }
  const outcomes: Outcome[] = [];
  for (const { entry, component } of parts) {
    flow.onEvent({ type: 'step', step: 'render', subject: `${entry.kind} ${entry.folder}` });
    try {
      const stated = await whileUnmet(retryFor, flow, () => render(entry.kind, component, flow));
      outcomes.push({ entry, objects: stated.map(({ object }) => object), failure: undefined });
    } catch (error) {
      if (!keepGoing || !(error instanceof SolpackError) || !ownFailures.includes(error.code)) throw error;
      const message = `fails, the others continue: ${error.message}`;
      flow.onEvent({ type: 'notice', subject: entry.folder, message });
      outcomes.push({ entry, objects: [], failure: error });
    }
  }
  return outcomes;
}
