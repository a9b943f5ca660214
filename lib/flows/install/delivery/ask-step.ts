import { setTimeout as sleep } from 'node:timers/promises';
import type { Digest } from '../../../../formats/digest.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { RegistryOptions } from '../../../parts/registries/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { cleared, verifiedArchive } from '../products.ts';
import { address, type Delivered, type DeliveryStep, delivered } from './delivery.ts';
import { requireServed } from './require-served.ts';

/** Which registry is asked, null being the one that an earlier step started, and for the images of which archives. */
type Inputs = { readonly registry: string | null; readonly roots: readonly Digest[] };

/**
 * Makes the step that asks a `solpack serve` whether it has all images: the one at `url`, otherwise that of an earlier
 * step.
 */
export function askStep({
  url,
  options = {},
}: {
  readonly url?: string;
  readonly options?: RegistryOptions;
}): DeliveryStep<Inputs, Delivered> {
  const run: DeliveryStep<Inputs, Delivered>['run'] = async ({ inputs }, { means, flow, one }) => {
    const registry = inputs.registry ?? one(address);
    const ask = (own: Flow): Promise<number> =>
      requireServed(archivesOf(means.archives, inputs.roots), registry, options, own);
    const present = await (means.imports ? onceFollowed(ask, registry, flow) : ask(flow));
    return { moved: 0, movedBytes: 0, present, movedTags: [], registry };
  };
  return {
    kind: 'ask',
    takes: [verifiedArchive, cleared, address],
    gives: delivered,
    plan: ({ archives }) => [
      { subject: url ?? 'the embedded registry', inputs: { registry: url ?? null, roots: rootsOf(archives) } },
    ],
    run,
    foresee: async (step, work) => {
      if (step.inputs.registry !== null && !work.means.imports) return { output: await run(step, work), actions: [] };
      // A registry that is yet to be started, or to hear of an import, will have what the archives have.
      const registry = step.inputs.registry ?? work.one(address);
      const output = { moved: 0, movedBytes: 0, present: 0, movedTags: [], registry };
      return { output, actions: [] };
    },
  };
}

/**
 * How long a `solpack serve` may take to follow its configuration, and how long until it is asked again, in
 * milliseconds.
 */
const PATIENCE = 60_000;
const PAUSE = 500;

/** Asks until a `solpack serve` has what was imported just before. Throws what `ask` throws if it does not follow. */
async function onceFollowed(ask: (flow: Flow) => Promise<number>, registry: string, flow: Flow): Promise<number> {
  const end = performance.now() + PATIENCE;
  for (let own = flow; ; ) {
    try {
      return await ask(own);
    } catch (error) {
      if (!(error instanceof SolpackError) || error.code !== 'registry-incomplete' || performance.now() > end)
        throw error;
    }
    if (own === flow) {
      flow.onEvent({ type: 'step', step: 'wait', subject: `${registry} to serve what was imported` });
      own = { ...flow, onEvent: () => undefined };
    }
    await sleep(PAUSE, undefined, { signal: flow.signal });
  }
}
