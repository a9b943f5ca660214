import type { Digest } from '../../../../formats/digest.ts';
import { inputDigest, type Json, type Step, type StepKind, type Work } from '../../../kernel/plan/index.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { survey } from '../preflight/index.ts';
import { checkedSites, type Surveyed, surveyed, verifiedArchive } from '../products.ts';

type Inputs = {
  readonly roots: readonly Digest[];
  /** The Kubernetes version of the cluster; null where none is asked. */
  readonly kubernetes: string | null;
  /** What the steps of the delivery do. */
  readonly delivery: Digest;
  readonly folders: readonly { readonly path: string; readonly bytes: number }[];
};

/** What a file of mirrors, and what is remembered of a release, takes on any disk: a block. */
const BLOCK = 4096;

/**
 * Looks at what can be known before anything is rendered: the versions of Kubernetes, registries, addresses, room. What
 * is found ends the install together with what the preflight finds.
 */
export const surveyStep: StepKind<
  Pick<InstallRead, 'archives' | 'cluster' | 'configuration' | 'delivery' | 'hostsDir' | 'trust'>,
  Pick<InstallMeans, 'archives' | 'delivery' | 'facts'>,
  Inputs,
  Surveyed
> = {
  kind: 'survey',
  takes: [verifiedArchive, checkedSites],
  gives: surveyed,
  event: 'survey',
  onlyLooks: true,
  plan: ({ archives, cluster, configuration, delivery, hostsDir, trust }) => {
    const images = archives.reduce((sum, { catalog }) => sum + catalog.images.length, 0);
    const folders = [
      ...(hostsDir === undefined ? [] : [{ path: hostsDir, bytes: 2 * BLOCK * images }]),
      ...(trust === 'skip' ? [] : [{ path: trust.state, bytes: 2 * BLOCK * archives.length }]),
    ];
    const steps: Json[] = delivery.steps.flatMap((kind) =>
      kind.plan({ archives, configuration }).map(({ inputs }) => inputs),
    );
    const kubernetes = cluster?.facts?.version ?? null;
    const inputs = { roots: rootsOf(archives), kubernetes, delivery: inputDigest(steps), folders };
    return [{ subject: configuration, inputs }];
  },
  run: (step, work) => surveyedBy(step, work, true),
  // A plan does not even open an upload.
  foresee: async (step, work) => {
    const output = await surveyedBy(step, work, false);
    for (const { subject, message } of output.faults) work.flow.onEvent({ type: 'notice', subject, message });
    return { output, actions: [] };
  },
};

async function surveyedBy(
  { inputs: { roots, folders } }: Pick<Step<Inputs>, 'inputs'>,
  { means, flow }: Pick<Work<Pick<InstallMeans, 'archives' | 'delivery' | 'facts'>>, 'means' | 'flow'>,
  mayTry: boolean,
): Promise<Surveyed> {
  const { delivery, facts } = means;
  const archives = archivesOf(means.archives, roots);
  const faults = await survey({ archives, delivery, facts, folders, mayTry }, flow);
  return { faults };
}
