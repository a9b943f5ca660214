import type { Digest } from '../../../formats/digest.ts';
import { reachable } from '../../mirrors/index.ts';
import type { StepKind } from '../../plan/step.ts';
import { tellRenamed } from '../../rendering/likely-images.ts';
import { withPullNames } from '../../rendering/named-images.ts';
import type { Rendered } from '../../rendering/render.ts';
import { renderableArchive } from '../../rendering/renderable-archive.ts';
import type { UsedImage } from '../../rendering/used-images.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import { delivered } from '../delivery/delivery.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { named, rendered } from '../products.ts';
import { pullNames } from '../pull-names.ts';

type Inputs = {
  readonly roots: readonly Digest[];
  /** Whether images keep their names, because nodes have mirrors. */
  readonly mirrored: boolean;
};

/** Names the images of rendered objects as nodes pull them, which is known once they were delivered. */
export const nameImagesStep: StepKind<
  Pick<InstallRead, 'archives' | 'cluster' | 'configuration' | 'hostsDir'>,
  Pick<InstallMeans, 'archives' | 'delivery'>,
  Inputs,
  Rendered
> = {
  kind: 'name-images',
  takes: [rendered, delivered],
  gives: named,
  plan: ({ archives, cluster, configuration, hostsDir }) => {
    if (cluster === undefined) return [];
    return [{ subject: configuration, inputs: { roots: rootsOf(archives), mirrored: hostsDir !== undefined } }];
  },
  run: async ({ inputs: { roots, mirrored } }, { means, flow, one }) => {
    const pullName = pullNames(means.delivery, reachable(one(delivered).registry), mirrored);
    const before = one(rendered);
    const renderables = archivesOf(means.archives, roots).map(renderableArchive);
    const after = { ...before, ...withPullNames(before.solutions, renderables, pullName) };
    tellRenamed(after.used, flow);
    // What will not be asked for, such as images of tests that do not run, is not told of either.
    const asked = new Set(before.used.map(placeOf));
    return { ...after, used: after.used.filter((one) => asked.has(placeOf(one))) };
  },
};

function placeOf({ archive, component, object, path, reference }: UsedImage): string {
  return JSON.stringify([archive, component, object, path, reference]);
}
