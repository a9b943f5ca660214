import type { Digest } from '../../../../formats/digest.ts';
import type { Product, StepKind } from '../../../kernel/plan/index.ts';
import { differs } from '../../../shared/solutions/registries/index.ts';
import { attached, copied, type PushMeans, type PushRead, repositoryName } from '../plan-types.ts';

type Inputs = { readonly repository: string; readonly tag: string; readonly root: Digest };

const tagged: Product<void> = { product: 'tag of the root' };

/** Gives the root its tag, once all else is there: who finds the tag finds a whole Solution. */
export const tagStep: StepKind<PushRead, PushMeans, Inputs, void> = {
  kind: 'tag',
  takes: [copied, attached],
  gives: tagged,
  plan: ({ archive, target, tag }) => {
    if (tag === undefined) return [];
    const repository = repositoryName(target);
    return [{ subject: `${repository}:${tag}`, inputs: { repository, tag, root: archive.catalog.root.digest } }];
  },
  run: async ({ inputs: { tag } }, { means: { archive, registries, target }, flow }) => {
    const { root, rootBytes } = archive.catalog;
    const repository = registries.open(target);
    if (await differs(repository, tag, root, flow.signal)) await repository.tag(root, rootBytes, tag, flow.signal);
  },
};
