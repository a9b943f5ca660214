import { type Event, type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { requireNoInput } from '../../kernel/files/index.ts';
import type { ClusterSnapshot } from '../../parts/clusters/index.ts';
import { blankingOf } from './blanking/index.ts';
import { collectors } from './collectors/index.ts';
import { addReadme } from './readme.ts';
import type { SupportBundle, SupportBundleRequest } from './request.ts';
import { siteSecretTexts } from './site-secrets.ts';
import { type BundleWriter, writeBundle } from './writer.ts';

export type {
  /** A file of a bundle. */
  BundleFile,
  /** What a bundle lacks, and why. */
  MissingPart,
  SupportBundle,
  /** What to put into a bundle. */
  SupportBundleRequest,
} from './request.ts';

/**
 * Writes facts about Solutions on a machine and in a cluster into one file that can be handed on: secrets are blanked
 * in all of it. It changes nothing, and the file lists what was not available. Throws `output-unwritable`, `disk-full`,
 * and what ends a run.
 */
export function makeSupportBundle(request: SupportBundleRequest, flow: Flow): Promise<SupportBundle> {
  const { cluster } = request;
  return cluster === undefined ? make(request, flow) : lend(cluster, () => make(request, flow));
}

async function make(request: SupportBundleRequest, flow: Flow): Promise<SupportBundle> {
  const site = await siteSecretTexts(request);
  const { snapshot, reason } = await snapshotOf(request, flow);
  const blanking = blankingOf([...site, ...(snapshot?.secrets ?? [])]);
  await requireNoInput(request.output, [
    ...request.logs,
    ...(request.configuration === undefined ? [] : [request.configuration]),
  ]);
  return writeBundle(request.output, request.time, blanking, async (bundle) => {
    if (reason !== undefined) bundle.missing('cluster', reason);
    const notes: object[] = [];
    for (const { name, collect } of collectors) {
      flow.onEvent({ type: 'step', step: 'collect', subject: name });
      const onEvent = (event: Event): void => {
        if (event.type === 'notice') notes.push({ during: name, ...event });
        else flow.onEvent(event);
      };
      const own: Flow = { ...flow, onEvent };
      await orNoted(name, bundle, flow, () => collect({ request, snapshot, blanking, bundle, flow: own }));
    }
    if (notes.length > 0) await bundle.items('notes.json', notes);
    await addReadme(request, bundle);
  });
}

async function snapshotOf(
  { cluster }: SupportBundleRequest,
  flow: Flow,
): Promise<{ snapshot?: ClusterSnapshot | undefined; reason?: string }> {
  if (cluster === undefined) return { reason: 'no cluster was named (--kubeconfig)' };
  flow.onEvent({ type: 'step', step: 'ask', subject: cluster.name });
  try {
    return { snapshot: await cluster.snapshot(flow) };
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!(error instanceof SolpackError)) throw error;
    return { reason: `${error.subject}: ${error.message}` };
  }
}

/** Does `work`, and notes what it fails by. Only what the file itself fails by ends the whole. */
async function orNoted(name: string, bundle: BundleWriter, flow: Flow, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    flow.signal.throwIfAborted();
    const own = error instanceof SolpackError ? error.code : undefined;
    if (own === 'output-unwritable' || own === 'disk-full') throw error;
    bundle.missing(name, error instanceof SolpackError ? `${error.subject}: ${error.message}` : String(error));
  }
}
