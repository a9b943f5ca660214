import type { Product, StepKind } from '../../../kernel/plan/index.ts';
import {
  foreseeMirrors,
  foreseeRetired,
  type MirrorResult,
  reachable,
  retireMirrors,
  writeMirrors,
} from '../../../parts/mirrors/index.ts';
import { applied } from '../../../shared/solutions/clusters/index.ts';
import { delivered } from '../delivery/index.ts';
import type { InstallRead } from '../plan-types.ts';
import { mirrored, rendered } from '../products.ts';
import { hostsOf } from '../pull-names.ts';

type Inputs = {
  /** The `config_path` of containerd. */
  readonly folder: string;
  /** The images that are pulled from elsewhere than their names say. */
  readonly references: readonly string[];
  readonly configuration: string;
};

type Read = Pick<InstallRead, 'archives' | 'configuration' | 'hostsDir'>;

/** Given once there are no mirrors that nobody needs. */
const retired: Product<readonly string[]> = { product: 'folder without mirrors that nobody needs' };

/**
 * Writes the mirrors that let nodes pull by the names that images have anyway. Those that only the previous versions
 * need stay until nothing of these is left.
 */
export const mirrorStep: StepKind<Read, unknown, Inputs, MirrorResult> = {
  kind: 'mirror',
  takes: [delivered, rendered],
  gives: mirrored,
  event: 'mirror',
  plan: planned,
  run: ({ inputs: { folder, references, configuration } }, { one }) =>
    writeMirrors(folder, hostsOf(references), reachable(one(delivered).registry), configuration, 'kept'),
  foresee: ({ inputs: { folder, references, configuration } }, { one }) =>
    foreseeMirrors(folder, hostsOf(references), reachable(one(delivered).registry), configuration),
};

/** Removes the mirrors that only the previous versions needed. It comes once everything is ready. */
export const retireMirrorsStep: StepKind<Read, unknown, Inputs, readonly string[]> = {
  kind: 'retire-mirrors',
  takes: [mirrored, applied],
  gives: retired,
  plan: planned,
  run: async ({ inputs: { folder, references, configuration } }, { flow }) => {
    const removed = await retireMirrors(folder, hostsOf(references), configuration);
    for (const subject of removed)
      flow.onEvent({ type: 'notice', subject, message: 'was removed: no image of its registry is needed any longer' });
    return removed;
  },
  foresee: ({ inputs: { folder, references, configuration } }) =>
    foreseeRetired(folder, hostsOf(references), configuration),
};

function planned({ archives, configuration, hostsDir: folder }: Read): { subject: string; inputs: Inputs }[] {
  if (folder === undefined) return [];
  const references = archives.flatMap(({ catalog }) => catalog.images.map(({ reference }) => reference));
  return [{ subject: folder, inputs: { folder, references, configuration } }];
}
