import type { Digest } from '../../../../formats/digest.ts';
import type { StepKind } from '../../../kernel/plan/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import { ownName } from '../../../shared/rendering/index.ts';
import { archivesOf, cleared, type ReadArchive, requireImages, rootsOf, verifiedArchive } from '../../install/index.ts';
import { renderedTree } from '../render-step.ts';
import { namedTree } from './tree-images.ts';

type Inputs = {
  readonly roots: readonly Digest[];
  /** Whether an image that objects use, and no archive holds, ends the load. */
  readonly needed: boolean;
};

/** Makes sure that the archives hold every image that the trees use, before any is moved. */
export const checkImagesStep: StepKind<
  { readonly archives: readonly ReadArchive[]; readonly configuration: string; readonly allowMissing: boolean },
  { readonly archives: readonly Archive[] },
  Inputs,
  void
> = {
  kind: 'check-images',
  takes: [renderedTree, verifiedArchive],
  gives: cleared,
  event: 'check-images',
  plan: ({ archives, configuration: subject, allowMissing }) => [
    { subject, inputs: { roots: rootsOf(archives), needed: !allowMissing } },
  ],
  run: async ({ inputs: { roots, needed } }, { means, flow, one }) => {
    const { used } = namedTree(one(renderedTree).solution, archivesOf(means.archives, roots), ownName);
    const missing = used.flatMap(({ reference: image, component, archive, certainty, held, external, pulled }) =>
      certainty === 'certain' && pulled && !held && !external ? [{ image, component, archive }] : [],
    );
    requireImages([...new Map(missing.map((each) => [JSON.stringify(each), each])).values()], needed, flow);
  },
};
