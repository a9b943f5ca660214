import { foreseeMirrors, type MirrorResult, reachable, writeMirrors } from '../../mirrors/index.ts';
import type { StepKind } from '../../plan/step.ts';
import { delivered } from '../delivery/delivery.ts';
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

/** Writes the mirrors that let nodes pull by the names that images have anyway. */
export const mirrorStep: StepKind<
  Pick<InstallRead, 'archives' | 'configuration' | 'hostsDir'>,
  unknown,
  Inputs,
  MirrorResult
> = {
  kind: 'mirror',
  takes: [delivered, rendered],
  gives: mirrored,
  event: 'mirror',
  plan: ({ archives, configuration, hostsDir: folder }) => {
    if (folder === undefined) return [];
    const references = archives.flatMap(({ catalog }) => catalog.images.map(({ reference }) => reference));
    return [{ subject: folder, inputs: { folder, references, configuration } }];
  },
  run: async ({ inputs: { folder, references, configuration } }, { flow, one }) => {
    const registry = reachable(one(delivered).registry);
    const result = await writeMirrors(folder, hostsOf(references), registry, configuration);
    for (const subject of result.removed)
      flow.onEvent({ type: 'notice', subject, message: 'was removed: no image of its registry is needed any longer' });
    return result;
  },
  foresee: ({ inputs: { folder, references, configuration } }, { one }) =>
    foreseeMirrors(folder, hostsOf(references), reachable(one(delivered).registry), configuration),
};
