import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { rcompare, valid } from 'semver';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { isInstanceOf } from '../../../formats/solution/environments.ts';
import { isLocal } from '../../kernel/content/index.ts';
import { type Flow, lend, SolpackError, within } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import { openLocal, placeName } from '../../shared/solutions/media/index.ts';
import { lookAtMachine, placesNear } from '../setup/index.ts';
import { type StatusReport, status } from '../status/index.ts';
import type { InstalledState, InterruptedRun, NearArchive, Overview, OverviewRequest } from './request.ts';

export type {
  /** A Solution that the cluster has. */
  InstalledState,
  /** A run that has changed something in the cluster, and was interrupted. */
  InterruptedRun,
  /** An archive in the folder, or on a medium. */
  NearArchive,
  /** The surroundings of a user who has given no command yet. */
  Overview,
  /** The input of an overview. */
  OverviewRequest,
} from './request.ts';

/** Milliseconds that somebody may wait for an overview. */
const PATIENCE = 3_000;
/** How many archives are opened at most. */
const MOST = 256;

type ClusterOverview = Pick<Overview, 'installed' | 'interrupted' | 'silent'>;

const noCluster: ClusterOverview = {};

type OpenedNear = Omit<NearArchive, 'isNew'> & { readonly isDelta: boolean };

/** Looks what there is around a user who has said nothing yet. It changes nothing, and takes some seconds at most. */
export async function overview({ folder, cluster, root = '/' }: OverviewRequest, flow: Flow): Promise<Overview> {
  const quiet: Flow = { ...flow, onEvent: () => undefined };
  const archives: OpenedNear[] = [];
  const [{ kubernetes }, definition, unfinished, reported] = await Promise.all([
    lookAtMachine(quiet, root),
    definitionIn(folder),
    unfinishedIn(folder),
    cluster === undefined ? noCluster : askCluster(cluster, quiet),
    // What was found until then is reported.
    within(PATIENCE, quiet, (own) => findArchives({ folder, root, archives }, own)),
  ]);
  return {
    kubernetes: kubernetes.distribution,
    archives: highest(archives, reported.installed ?? []),
    ...(definition === undefined ? {} : { definition }),
    unfinished,
    ...reported,
  };
}

/** Opens archives, and adds what they say to `archives`. */
async function findArchives(
  { folder, root, archives }: { readonly folder: string; readonly root: string; readonly archives: OpenedNear[] },
  flow: Flow,
): Promise<readonly OpenedNear[]> {
  for (const place of (await placesNear(folder, root)).slice(0, MOST)) {
    flow.signal.throwIfAborted();
    if (!isLocal(place)) continue;
    try {
      const { catalog } = await lend(await openLocal(place, flow), async (archive) => archive);
      const { name, version } = catalog.metadata;
      archives.push({ path: placeName(place), name, version, isDelta: catalog.selection !== undefined });
    } catch (error) {
      // A file of another kind, and a drive without a disc.
      if (!(error instanceof SolpackError)) throw error;
    }
  }
  return archives;
}

function highest(archives: readonly OpenedNear[], installed: readonly InstalledState[]): NearArchive[] {
  const byName = Map.groupBy(archives, ({ name }) => name);
  return [...byName.values()].map((own) => {
    // A delta may need another archive, so one that is whole stands for its version.
    const [first] = own.toSorted((a, b) => rcompare(a.version, b.version) || Number(a.isDelta) - Number(b.isDelta));
    const there = installed.filter((one) => isInstanceOf(one.name, first!.name));
    // What was loaded from a folder has a version that is none of SemVer.
    const isNew = !there.some(({ version }) => valid(version) === null || rcompare(version, first!.version) <= 0);
    const { isDelta: _, ...shown } = first!;
    return { ...shown, isNew };
  });
}

async function definitionIn(folder: string): Promise<Overview['definition']> {
  const path = join(folder, 'solution.toml');
  if (!(await isThere(path))) return undefined;
  try {
    const { name, version } = parseDefinition(await readFile(path));
    return { path, name, version };
  } catch {
    // "solpack check" says what is wrong with it.
    return { path };
  }
}

async function unfinishedIn(folder: string): Promise<Overview['unfinished']> {
  const names = new Set<string>(await fs.readdir(folder).catch(() => []));
  const found: Overview['unfinished'][number][] = [];
  for (const name of names) {
    if (!name.endsWith('.partial')) continue;
    const path = join(folder, name.slice(0, -'.partial'.length));
    if (names.has(`${name}.journal`)) found.push({ path, by: 'pack' });
    // Other programs call what they have not ended so too.
    else if (/\.(?:iso|tar)$/i.test(path)) found.push({ path, by: 'pull' });
  }
  return found;
}

async function askCluster(open: NonNullable<OverviewRequest['cluster']>, flow: Flow): Promise<ClusterOverview> {
  try {
    const asked = { name: undefined, configuration: undefined, registries: undefined };
    const reports = await within(PATIENCE, flow, async (own) => status({ cluster: await open(), ...asked }, own));
    if (reports === undefined) return { silent: { error: undefined } };
    const installed = reports.flatMap(({ solutions, generation }): InstalledState[] =>
      solutions.map(({ name, version, state }) => {
        const isFailed = state === 'interrupted' && generation.state === 'failed';
        return { name, version, state: isFailed ? 'failed' : state };
      }),
    );
    const interrupted = interruptedRun(reports);
    return { installed, ...(interrupted === undefined ? {} : { interrupted }) };
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    return error.code === 'generation-absent' ? { installed: [] } : { silent: { error } };
  }
}

function interruptedRun(reports: readonly StatusReport[]): InterruptedRun | undefined {
  const found = reports.find(({ generation }) => generation.state === 'interrupted');
  if (found === undefined) return undefined;
  const { configuration, generation, solutions } = found;
  const { cause, of } = generation;
  const isLoad =
    cause === 'install' && solutions.length > 0 && solutions.every(({ version }) => valid(version) === null);
  return { configuration, by: isLoad ? 'load' : cause, of, hasOthers: reports.length > 1 };
}
