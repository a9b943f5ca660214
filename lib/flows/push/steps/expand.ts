import type { Digest } from '../../../../formats/digest.ts';
import { type Copied, copy } from '../../../kernel/content/index.ts';
import type { StepKind } from '../../../kernel/plan/index.ts';
import { differs, pushStatements, registerReferrers } from '../../../shared/solutions/registries/index.ts';
import { copied, type NamedContent, type PushMeans, type PushRead, repositoryName } from '../plan-types.ts';
import { sumOf } from '../sum.ts';

type Inputs = {
  readonly repository: string;
  /** Null where it is named by its digest alone. */
  readonly tag: string | null;
  readonly digest: Digest;
};

/** Gives an image or a chart a name of its own; what the registry has elsewhere is mounted there. */
export const expandStep: StepKind<PushRead, PushMeans, Inputs, Copied> = {
  kind: 'expand',
  takes: [copied],
  gives: copied,
  event: 'expand',
  plan: ({ named }) => named.map((one) => ({ subject: repositoryName(one.target), inputs: inputsOf(one) })),
  run: async ({ inputs }, { means: { archive, registries, named, attestations }, flow }) => {
    const one = named.find((each) => isSame(inputsOf(each), inputs));
    if (one === undefined) throw new Error(`no image or chart gets the name ${inputs.repository}`);
    const { target, tag, top, groups, referrers } = one;
    const repository = registries.open(target);
    const { source } = archive;
    const transfers = groups.map((group) => group.map((descriptor) => ({ descriptor, source })));
    const content = await copy(transfers, repository, { signal: flow.signal });
    await registerReferrers(referrers, repository, flow.signal);
    if (tag !== undefined && (await differs(repository, tag, top.descriptor, flow.signal))) {
      await repository.tag(top.descriptor, top.bytes, tag, flow.signal);
    }
    const about = new Set(groups.flat().map(({ digest }) => digest));
    const own = attestations.filter(({ subject }) => about.has(subject.digest));
    return sumOf([content, await pushStatements(own, archive.path, repository, flow)]);
  },
};

function inputsOf({ target, tag, top }: NamedContent): Inputs {
  return { repository: repositoryName(target), tag: tag ?? null, digest: top.descriptor.digest };
}

function isSame(a: Inputs, b: Inputs): boolean {
  return a.repository === b.repository && a.tag === b.tag && a.digest === b.digest;
}
