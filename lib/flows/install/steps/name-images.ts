import type { StepKind } from '../../../kernel/plan/index.ts';
import { reachable } from '../../../parts/mirrors/index.ts';
import {
  placedArchives,
  placedRenderable,
  type Rendered,
  tellRenamed,
  type UsedImage,
  withPullNames,
} from '../../../shared/rendering/index.ts';
import type { Placement } from '../../../shared/solutions/sets/index.ts';
import { delivered } from '../delivery/index.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { named, rendered } from '../products.ts';
import { pullNames } from '../pull-names.ts';

type Inputs = {
  readonly placements: readonly Placement[];
  /** Whether images keep their names, because nodes have mirrors. */
  readonly mirrored: boolean;
};

/** Names the images of rendered objects as nodes pull them, which is known once they were delivered. */
export const nameImagesStep: StepKind<
  Pick<InstallRead, 'placements' | 'cluster' | 'configuration' | 'hostsDir'>,
  Pick<InstallMeans, 'archives' | 'delivery'>,
  Inputs,
  Rendered
> = {
  kind: 'name-images',
  takes: [rendered, delivered],
  gives: named,
  plan: ({ placements, cluster, configuration, hostsDir }) => {
    if (cluster === undefined) return [];
    return [{ subject: configuration, inputs: { placements, mirrored: hostsDir !== undefined } }];
  },
  run: async ({ inputs: { placements, mirrored } }, { means, flow, one }) => {
    const pullName = pullNames(means.delivery, reachable(one(delivered).registry), mirrored);
    const before = one(rendered);
    const renderables = placedArchives(placements, means.archives).map(placedRenderable);
    const after = { ...before, ...withPullNames(before.solutions, renderables, pullName) };
    tellRenamed(after.used, flow);
    // What will not be asked for, such as images of tests that do not run, is not reported either.
    const asked = new Set(before.used.map(placeOf));
    return { ...after, used: after.used.filter((one) => asked.has(placeOf(one))) };
  },
};

function placeOf({ archive, component, object, path, reference }: UsedImage): string {
  return JSON.stringify([archive, component, object, path, reference]);
}
