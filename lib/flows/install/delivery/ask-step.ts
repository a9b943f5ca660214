import type { Digest } from '../../../../formats/digest.ts';
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
    const present = await requireServed(archivesOf(means.archives, inputs.roots), registry, options, flow);
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
      if (step.inputs.registry !== null) return { output: await run(step, work), actions: [] };
      // A registry that is yet to be started has what the archives have.
      const output = { moved: 0, movedBytes: 0, present: 0, movedTags: [], registry: work.one(address) };
      return { output, actions: [] };
    },
  };
}
