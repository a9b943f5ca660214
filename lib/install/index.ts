import type { Digest } from '../../formats/digest.ts';
import type { Archive } from '../archives/index.ts';
import type { AppliedObject, AppliedSolution, ApplyResult, ClusterTarget } from '../clusters/index.ts';
import { checkVariables } from '../components/index.ts';
import type { Flow } from '../flow.ts';
import { type MirrorResult, reachable, writeMirrors } from '../mirrors/index.ts';
import type { ClusterFacts } from '../model.ts';
import { startRegistry } from '../registry-server/index.ts';
import { choose } from '../solutions/choose.ts';
import { closeAll, openAll, readConfiguration } from '../solutions/configuration.ts';
import { registryEvents } from '../solutions/registry-events.ts';
import { servedContent } from '../solutions/served-content.ts';
import { requireWithin } from './bounds.ts';
import { type Loaded, requireServed } from './load.ts';
import { settleMissing } from './missing-images.ts';
import { hostsOf, type LoadTarget, pullNames } from './pull.ts';
import { pushedBlobs, pushImages } from './push-images.ts';
import { renderAll } from './render.ts';
import { rememberInstalled, requireVerified, type Trusting, type Verified } from './trust.ts';

export type { LoadTarget } from './pull.ts';
export type { Trusting } from './trust.ts';

/** What to install. Paths are absolute. */
export interface InstallRequest {
  /** The SolutionsConfiguration. */
  readonly configuration: string;
  /** Whom to trust; `skip` checks that bytes are intact, and not who made them. */
  readonly trust: Trusting | 'skip';
  readonly load: LoadTarget;
  /** The `config_path` of containerd, where mirrors are written; without it nodes pull by the registry's own name. */
  readonly hostsDir: string | undefined;
  /** Where rendered objects go; undefined stops after the images and mirrors. */
  readonly cluster: ClusterTarget | undefined;
  /** Milliseconds that a component may take to become ready, where it does not say so itself. */
  readonly timeout: number;
  /** What plugins are told of the node, by the names of their convention. */
  readonly variables: Readonly<Record<string, string>>;
  /** Goes on where objects use images that their archive does not hold, and tells of them. */
  readonly allowMissingImages: boolean;
}

/** One Solution that is active after an install. */
export interface InstalledSolution {
  readonly name: string;
  readonly version: string;
  readonly archive: string;
  readonly root: Digest;
  /** Ids of the keys whose signatures count for it. */
  readonly signers: readonly string[];
  /** Whether a newer release was installed before, which --allow-downgrade let pass. */
  readonly downgraded: boolean;
  /** Files that were written, in order. */
  readonly applied: readonly string[];
  /** What became of each object in the cluster, in the order in which they were applied. */
  readonly objects: readonly AppliedObject[];
}

/** An image that nodes can pull. */
export interface InstalledImage {
  readonly reference: string;
  /** The name by which they pull it, with its digest. */
  readonly target: string;
}

/** What an install did. */
export interface InstallResult extends Loaded {
  /** By what the archives are trusted; `skipped` is nobody's word. */
  readonly trust: 'policy' | 'keys' | 'skipped';
  readonly solutions: readonly InstalledSolution[];
  /** Solutions that the configuration brought to the cluster earlier, and no longer activates. */
  readonly removed: readonly AppliedSolution[];
  /** Where the images can be pulled from. */
  readonly registry: string;
  readonly images: readonly InstalledImage[];
  /** Mirror configuration that was written, as paths. */
  readonly mirrors: readonly string[];
}

/** An archive that is to be active, and why it may be. */
interface Active extends Verified {
  readonly archive: Archive;
}

const nothing: ApplyResult = { solutions: [], removed: [] };

/**
 * Reads a SolutionsConfiguration, opens its archives, chooses a version of each Solution, asks the cluster what it is
 * like, verifies those archives, loads their images, renders all components, writes mirrors and applies. Nothing is
 * moved before all archives are verified, the layers aside that a registry gets, which are while they are sent; and no
 * object is applied before all are rendered. `hold` is called while the
 * embedded registry still serves. Throws `configuration-invalid`, `version-conflict`, `version-absent`, `not-trusted`,
 * `verification-failed`, `image-missing`, `mirror-foreign`, and what loading, rendering and applying throw.
 */
export async function install(
  request: InstallRequest,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void> = async () => undefined,
): Promise<InstallResult> {
  checkVariables(request.variables);
  const configuration = await readConfiguration(request.configuration);
  const opened = await openAll(request.configuration, configuration, flow);
  try {
    const chosen = choose(configuration, opened);
    for (const { name, version, path } of chosen)
      flow.onEvent({ type: 'step', step: 'choose', subject: `${name} ${version} (${path})` });
    const facts = await request.cluster?.facts(flow);
    const active: Active[] = [];
    for (const { archive } of chosen) {
      // What is pushed is hashed on the way; what the registry has already is not even read.
      const later = request.load.kind === 'registry' ? pushedBlobs(archive) : undefined;
      active.push({ archive, ...(await requireVerified(archive, request.trust, flow, later)) });
    }
    return await bringUp(active, { ...request, name: configuration.name, facts }, flow, hold);
  } finally {
    await closeAll(opened);
  }
}

interface Work extends InstallRequest {
  /** Of the configuration. */
  readonly name: string;
  readonly facts: ClusterFacts | undefined;
}

async function bringUp(
  active: readonly Active[],
  work: Work,
  flow: Flow,
  hold: (result: InstallResult) => Promise<void>,
): Promise<InstallResult> {
  const { load } = work;
  const archives = active.map(({ archive }) => archive);
  const embedded =
    load.kind === 'embedded'
      ? await startRegistry(await Promise.all(archives.map(servedContent)), {
          host: load.host,
          port: load.port,
          ...registryEvents(flow),
        })
      : undefined;
  try {
    const registry = embedded?.url ?? (load as { url: string }).url;
    const loaded =
      load.kind === 'registry'
        ? await pushImages(archives, load.url, load.options, flow, (archive) => boundsOf(active, archive))
        : await requireServed(archives, registry, load.kind === 'served' ? load.options : {}, flow);
    const applied = await applyAll(active, work, reachable(registry), flow);
    await rememberInstalled(archives, work.trust);
    const result = { trust: wordOf(work), ...loaded, registry, ...applied };
    if (embedded) {
      tellShortLived(work, flow);
      await hold(result);
    }
    return result;
  } finally {
    await embedded?.close();
  }
}

/** Renders everything, and only then changes anything: first the mirrors, then the cluster. */
async function applyAll(
  active: readonly Active[],
  work: Work,
  registry: string,
  flow: Flow,
): Promise<Pick<InstallResult, 'solutions' | 'removed' | 'images' | 'mirrors'>> {
  const { cluster, facts, hostsDir, variables, timeout } = work;
  const archives = active.map(({ archive }) => archive);
  const pullName = pullNames(work.load, registry, hostsDir !== undefined);
  const options = { pullName, cluster: facts, variables, timeout };
  const rendered = cluster ? await renderAll(archives, options, flow) : undefined;
  if (rendered) requireWithin(active, rendered, facts);
  settleMissing(rendered?.missing ?? [], facts !== undefined && !work.allowMissingImages, flow);
  const images = archives.flatMap(({ catalog }) => catalog.images);
  const hosts = hostsOf(images.map(({ reference }) => reference));
  const mirrors = hostsDir === undefined ? undefined : await mirror(hostsDir, hosts, registry, work.name, flow);
  const applied =
    cluster && rendered
      ? await cluster.apply({ configuration: work.name, solutions: rendered.solutions }, flow)
      : nothing;
  return {
    solutions: active.map((one, index) => installedOf(one, applied.solutions[index])),
    removed: applied.removed,
    images: images.map(({ reference, descriptor }) => ({ reference, target: pullName(reference, descriptor.digest) })),
    mirrors: mirrors?.written ?? [],
  };
}

async function mirror(
  folder: string,
  hosts: readonly string[],
  url: string,
  configuration: string,
  flow: Flow,
): Promise<MirrorResult> {
  flow.onEvent({ type: 'step', step: 'mirror', subject: folder });
  const result = await writeMirrors(folder, hosts, url, configuration);
  for (const subject of result.removed)
    flow.onEvent({ type: 'notice', subject, message: 'was removed: no image of its registry is needed any longer' });
  return result;
}

function boundsOf(active: readonly Active[], archive: Archive): Active['bounds'] {
  return active.find((one) => one.archive === archive)!.bounds;
}

function wordOf({ trust }: Work): InstallResult['trust'] {
  if (trust === 'skip') return 'skipped';
  return trust.basis.policy.version === undefined ? 'keys' : 'policy';
}

function installedOf(
  { archive, signers, downgraded }: Active,
  applied: AppliedSolution | undefined,
): InstalledSolution {
  const { metadata, root } = archive.catalog;
  return {
    name: metadata.name,
    version: metadata.version,
    archive: archive.path,
    root: root.digest,
    signers,
    downgraded,
    applied: applied?.files ?? [],
    objects: applied?.objects ?? [],
  };
}

function tellShortLived({ load, facts, hostsDir }: Work, flow: Flow): void {
  if (load.kind !== 'embedded' || load.hold || (facts === undefined && hostsDir === undefined)) return;
  flow.onEvent({
    type: 'notice',
    subject: 'registry',
    message:
      'it serves no longer than this install: Pods that start later cannot pull; give --hold, or --served-at with a running "solpack serve"',
  });
}
