import { isDeepStrictEqual } from 'node:util';
import { parseReference } from '../../../formats/oci/reference.ts';
import { isInstanceOf } from '../../../formats/solution/environments.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type { ClusterTarget, ConfigurationStatus, Generation, SolutionStatus } from '../../parts/clusters/index.ts';
import type { RegistryOptions } from '../../parts/registries/index.ts';
import {
  findMissingImages,
  findNamed,
  type MissingImage,
  type Named,
  repeatedly,
} from '../../shared/solutions/clusters/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import { type NodeMirror, nodeMirrors } from '../join-mirror/index.ts';
import { type ArchiveOnNode, archivesOnNode } from './archives.ts';

export type { ArchiveOnNode } from './archives.ts';
export {
  /** Returns whether everything is ready: the Solutions, and the mirrors that were examined. */
  isAllReady,
  /** Returns the state of a configuration as a whole: that of its worst Solution. */
  overallState,
} from './overall-state.ts';

/** Which state to read. */
export interface StatusRequest {
  readonly cluster: ClusterTarget;
  /** A configuration, or else a Solution; undefined is all that there is, or what `configuration` names. */
  readonly name?: string | undefined;
  /** The SolutionsConfiguration whose archives are listed; undefined where none are. */
  readonly configuration?: string | undefined;
  /** How its archives are found. Left out: as by default. */
  readonly media?: MediaContext | undefined;
  /** How registries are asked for the images; undefined where they are not asked. */
  readonly registries?: RegistryOptions | undefined;
  /** The `config_path` of this node's containerd, whose mirrors are looked at. Left out: they are not. */
  readonly hostsDir?: string | undefined;
}

/** A Solution, with the images that can no longer be pulled. */
export interface SolutionReport extends SolutionStatus {
  /** Undefined where nobody was asked. */
  readonly missing: readonly MissingImage[] | undefined;
}

/** A configuration as it is now. */
export interface StatusReport {
  readonly configuration: string;
  readonly generation: Generation;
  readonly solutions: readonly SolutionReport[];
  /** Undefined where no SolutionsConfiguration was named. */
  readonly archives: readonly ArchiveOnNode[] | undefined;
  /** How this node pulls the images of its Solutions; undefined where no `hostsDir` was named. */
  readonly mirrors: readonly NodeMirror[] | undefined;
}

/**
 * Returns the state of configurations: whether everything is ready and as it was applied. It changes nothing. Throws
 * `solution-unknown`, `generation-absent`, and what the cluster refuses.
 */
export function status(request: StatusRequest, flow: Flow): Promise<readonly StatusReport[]> {
  flow.onEvent({ type: 'step', step: 'ask', subject: request.cluster.name });
  return lend(request.cluster, () => reportsOf(request, new Map(), flow));
}

/**
 * Repeats `status`, `every` milliseconds after the last time: `show` gets each report that differs from the previous
 * one. Registries are asked once for each generation.
 */
export function watchStatus(
  request: StatusRequest,
  every: number,
  flow: Flow,
  show: (report: StatusReport) => void,
): Promise<never> {
  const asked: AskedImages = new Map();
  const shown = new Map<string, StatusReport>();
  return lend(request.cluster, () =>
    repeatedly(every, flow, async () => {
      for (const report of await reportsOf(request, asked, flow)) {
        if (isDeepStrictEqual(shown.get(report.configuration), report)) continue;
        shown.set(report.configuration, report);
        show(report);
      }
    }),
  );
}

/** What registries have answered, by configuration and generation. */
type AskedImages = Map<string, readonly MissingImage[]>;

async function reportsOf(request: StatusRequest, asked: AskedImages, flow: Flow): Promise<readonly StatusReport[]> {
  const { cluster, configuration: file } = request;
  const onNode = file === undefined ? undefined : await archivesOnNode(file, flow, request.media);
  const all = await findNamed(cluster, request.name ?? onNode?.configuration, flow);
  const reports: StatusReport[] = [];
  for (const named of all) {
    const [found, missing] = await Promise.all([
      cluster.status(named.configuration, flow),
      missingOf(named, request, asked, flow),
    ]);
    if (found === undefined) throw forgotten(named);
    const mirrors = await mirrorsFor(named, request.hostsDir, flow);
    reports.push({ ...reportOf(named, found, missing), archives: onNode?.archives, mirrors });
  }
  return reports;
}

function reportOf(
  { configuration, solution }: Named,
  { generation, solutions }: ConfigurationStatus,
  missing: readonly MissingImage[] | undefined,
): Omit<StatusReport, 'archives' | 'mirrors'> {
  const wanted = solutions.filter(({ name }) => solution === undefined || isInstanceOf(name, solution));
  const reported = wanted.map((one) => {
    const own = missing?.filter((image) => image.solution === `${one.name} ${one.version}`);
    return { ...one, missing: own };
  });
  return { configuration, generation, solutions: reported };
}

async function mirrorsFor(
  { generations: [newest] }: Named,
  hostsDir: string | undefined,
  flow: Flow,
): Promise<readonly NodeMirror[] | undefined> {
  if (hostsDir === undefined) return undefined;
  const images = (newest?.solutions ?? []).flatMap((solution) => solution.images);
  const registries = new Set(images.map(({ reference }) => parseReference(reference).registry));
  return nodeMirrors(hostsDir, [...registries].sort(), flow);
}

async function missingOf(
  { configuration, generations: [newest] }: Named,
  { registries }: StatusRequest,
  asked: AskedImages,
  flow: Flow,
): Promise<readonly MissingImage[] | undefined> {
  if (registries === undefined || newest === undefined) return undefined;
  const key = `${configuration} ${newest.number}`;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const missing = await findMissingImages(newest, registries, flow);
  // The order is that of the answers.
  const sorted = missing.toSorted((a, b) => (a.image.reference < b.image.reference ? -1 : 1));
  asked.set(key, sorted);
  return sorted;
}

function forgotten({ configuration, generations: [newest] }: Named): SolpackError {
  const message = `the record of generation ${newest?.number ?? 0} is missing or damaged`;
  return new SolpackError('generation-absent', `configuration ${configuration}`, message, {
    hint: 'install it again from its archive',
  });
}
