import type { Digest } from '../../../../formats/digest.ts';
import type { Product, StepKind } from '../../../kernel/plan/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import { reachable } from '../../../parts/mirrors/index.ts';
import { ownName, tellRenamed, type UsedImage } from '../../../shared/rendering/index.ts';
import {
  archivesOf,
  cleared,
  delivered,
  type ImageDelivery,
  pullNames,
  type ReadArchive,
  rootsOf,
} from '../../install/index.ts';
import { type RenderedTree, renderedTree } from '../render-step.ts';
import { namedTree } from './tree-images.ts';

/** Trees whose images have the names by which nodes pull them. */
export interface PinnedTree extends RenderedTree {
  readonly used: readonly UsedImage[];
}

/** Given once the images of trees are named as nodes pull them. */
export const pinnedTree: Product<PinnedTree> = { product: 'rendered tree with the names of its images' };

type Inputs = {
  readonly roots: readonly Digest[];
  /** Whether images keep their names, because nodes have mirrors. */
  readonly mirrored: boolean;
};

/**
 * Names the images of trees as nodes pull them: by their digests always, and where a registry has them now, by its
 * address.
 */
export const nameTreeStep: StepKind<
  { readonly archives: readonly ReadArchive[]; readonly configuration: string; readonly hostsDir: string | undefined },
  { readonly archives: readonly Archive[]; readonly delivery: ImageDelivery },
  Inputs,
  PinnedTree
> = {
  kind: 'name-tree-images',
  takes: [renderedTree, cleared, delivered],
  gives: pinnedTree,
  plan: ({ archives, configuration: subject, hostsDir }) => [
    { subject, inputs: { roots: rootsOf(archives), mirrored: hostsDir !== undefined } },
  ],
  run: async ({ inputs: { roots, mirrored } }, { means, flow, one, all }) => {
    const before = one(renderedTree);
    const [registry] = all(delivered);
    const pullName = registry ? pullNames(means.delivery, reachable(registry.registry), mirrored) : ownName;
    const { solution, used } = namedTree(before.solution, archivesOf(means.archives, roots), pullName);
    tellRenamed(used, flow);
    return { ...before, solution, used };
  },
};
