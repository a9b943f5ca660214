import type { Digest } from '../../../../formats/digest.ts';
import type { StepKind } from '../../../kernel/plan/index.ts';
import { type Attached, pushBundles } from '../../../shared/solutions/registries/index.ts';
import { attached, copied, type PushMeans, type PushRead, repositoryName } from '../plan-types.ts';

type Inputs = {
  readonly repository: string;
  readonly root: Digest;
  /** Digests of the signed statements. What signatures there are is found out when they are pushed. */
  readonly attestations: readonly Digest[];
};

/**
 * Pushes the signatures of an archive as referrers of its root, and signed statements as those of what they are about.
 */
export const attachStep: StepKind<PushRead, PushMeans, Inputs, Attached> = {
  kind: 'attach',
  takes: [copied],
  gives: attached,
  plan: ({ archive, target, attestations }) => {
    const repository = repositoryName(target);
    const digests = attestations.map(({ bundle }) => bundle.digest);
    return [{ subject: repository, inputs: { repository, root: archive.catalog.root.digest, attestations: digests } }];
  },
  run: (_, { means: { archive, registries, target, attestations }, flow }) =>
    pushBundles(archive, attestations, registries.open(target), flow),
};
