import { dirname } from 'node:path';
import { sha256 } from '../../../formats/digest.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { asksPlugins, type PlacedArchive, placedArchives } from '../../shared/rendering/index.ts';
import { type ReadCluster, readCluster } from '../../shared/solutions/clusters/index.ts';
import { type NodeVariable, valuesOf, variablesFor } from '../../shared/solutions/node-variables/index.ts';
import { clusterOrigin, machineOrigin, type Origin } from '../../shared/solutions/origin/index.ts';
import { tellSharedTags } from '../../shared/solutions/registries/index.ts';
import {
  type Choice,
  choicesOf,
  closeAll,
  configurationOf,
  fullVersion,
  isForsaken,
  type OpenedArchive,
  openAll,
  outsideNotices,
  placedName,
  placeSet,
  readSetOutside,
  requireChoice,
  requireFound,
  requireSet,
  requireStep,
  resolutionOf,
  type SetSurroundings,
  type StepOnTheWay,
  withOutside,
} from '../../shared/solutions/sets/index.ts';
import { readSites, type SiteInputs } from '../../shared/solutions/sites/index.ts';
import { tellDowngrades } from './downgrades.ts';
import type { InstallMeans, InstallRead } from './plan-types.ts';
import type { SettledInstall } from './settled.ts';
import { vouchedArchives } from './vouched.ts';
import { wantedBefore } from './wanted-before.ts';

/** What an install needs to know before anything is changed, and what it works with. Archives are closed with it. */
export interface InstallReading extends AsyncDisposable {
  readonly read: InstallRead;
  readonly means: InstallMeans;
  /** Why the archives of the plan were chosen. */
  readonly choices: readonly Choice[];
  /** How many installs come after it before there is what is wanted. */
  readonly left: number;
}

/**
 * Reads a SolutionsConfiguration, opens its archives, asks the cluster what it is like, and finds the set of Solutions
 * that fits there. Throws `configuration-invalid`, `configuration-bounds`, `version-conflict`, `version-absent`,
 * `archive-gone`, `not-trusted`, `set-impossible`, `site-invalid`, and what opening and asking throw.
 */
export async function readInstall(request: SettledInstall, flow: Flow): Promise<InstallReading> {
  const bytes = request.document ?? (await readFile(request.configuration));
  const configuration = await configurationOf(request.configuration, bytes);
  const configurationDigest = sha256(bytes);
  const origin = originOf(request);
  const found = await openAll(request.configuration, configuration, flow, {
    base: dirname(request.configuration),
    ...request.media,
    origin,
  });
  const { opened } = found;
  try {
    // What no cluster can mend is reported before one is asked: a version that is in none of the archives, or in two.
    // But where a medium is empty or away, whether something of it is installed says more.
    const forsaken = isForsaken(found);
    if (!forsaken) requireChoice(configuration, found, flow);
    const cluster = request.cluster && (await readCluster(request.cluster, flow));
    requireFound(configuration, found, { file: request.configuration, inventory: cluster?.inventory });
    if (forsaken) requireChoice(configuration, found, flow);
    const vouched = await vouchedArchives(configuration, found, request.trust, flow);
    const surroundings = await surroundingsOf(request, configuration, vouched, cluster, flow);
    const { set, left } = (request.through ? requireStep : lastStep)(
      configuration,
      vouched,
      surroundings,
      request.allow?.includes('unsupported-kubernetes'),
    );
    const notice = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
    if (left > 0) notice(configuration.name, stepWords(left));
    for (const { name, by } of set.replaced) notice(name, `is wanted but not installed: ${by} replaces it`);
    for (const { name, reason } of set.heldBack) notice(name, reason);
    const chosenArchives = placeSet(configuration, set);
    const { archives: chosen, placements } = chosenArchives;
    for (const { name, version, path } of chosen)
      flow.onEvent({ type: 'step', step: 'choose', subject: `${name} ${version} (${path})` });
    const reasons = choicesOf(configuration, opened, chosenArchives, set.members);
    const choices = withOutside(reasons, set.members, configuration, vouched, surroundings);
    for (const choice of choices) for (const message of outsideNotices(choice)) notice(choice.name, message);
    const archives = chosen.map(({ archive }) => archive);
    const catalogs = archives.map(({ catalog }) => catalog);
    tellSharedTags(catalogs, flow);
    requireActive(request.takeOver, archives);
    const placed = placedArchives(placements, archives);
    const sites = await sitesOf(request, origin, configuration, placed, opened);
    const nodeVariables = await variablesOf(request, archives, flow);
    const variables = nodeVariables.length === 0 ? request.variables : valuesOf(nodeVariables);
    const downgraded = tellDowngrades(placed, cluster?.inventory, flow, request.agreement !== undefined);
    return {
      read: {
        ...request,
        variables,
        configuration: configuration.name,
        archives,
        placements,
        cluster,
        sites,
        wantedBefore: await wantedBefore(request, opened),
      },
      means: {
        ...request,
        variables,
        nodeVariables,
        archives,
        placements,
        facts: cluster?.facts,
        sites,
        configurationDigest: left === 0 ? configurationDigest : undefined,
        downgraded,
        resolution: resolutionOf(set, choices),
      },
      choices,
      left,
      [Symbol.asyncDispose]: () => closeAll(opened),
    };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Puts together what the set depends on besides the archives. */
async function surroundingsOf(
  request: SettledInstall,
  configuration: SolutionsConfiguration,
  vouched: readonly OpenedArchive[],
  cluster: ReadCluster | undefined,
  flow: Flow,
): Promise<SetSurroundings> {
  const kubernetes = cluster?.facts?.version ?? fullVersion(request.kubernetes);
  const around = { inventory: cluster?.inventory ?? [], served: cluster?.facts?.apiVersions };
  const outside = request.cluster && (await readSetOutside(configuration, vouched, around, request.cluster, flow));
  return { ...around, kubernetes, outside };
}

function lastStep(...given: Parameters<typeof requireSet>): StepOnTheWay {
  return { set: requireSet(...given), left: 0 };
}

function stepWords(left: number): string {
  return `is installed step by step, because not every version may be installed over the present one: ${left} ${left === 1 ? 'install comes' : 'installs come'} after this one`;
}

function originOf({ grants, environment }: SettledInstall): Origin {
  return grants === undefined ? machineOrigin(environment) : clusterOrigin(grants, environment);
}

/** Throws `usage-invalid` for a Solution that is to be taken over, and is not to be active. */
function requireActive(takeOver: readonly string[] = [], archives: readonly Archive[]): void {
  const names = archives.map(({ catalog }) => catalog.metadata.name);
  const unknown = takeOver.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new SolpackError('usage-invalid', '--take-over', `no Solution "${unknown}" is active`, {
    hint: `active: ${[...new Set(names)].join(', ') || 'none'}`,
  });
}

/** Finds the variables of the node that plugins get; nothing where none will be asked. */
async function variablesOf(
  { variables, cluster, isNode }: SettledInstall,
  archives: readonly Archive[],
  flow: Flow,
): Promise<readonly NodeVariable[]> {
  const components = archives.flatMap(({ catalog }) => catalog.metadata.components);
  if (cluster === undefined || !components.some(asksPlugins)) return [];
  return variablesFor(variables, cluster, flow, { isNode });
}

function sitesOf(
  { configuration: file, values: handed = [] }: SettledInstall,
  origin: Origin,
  { sites, groups }: SolutionsConfiguration,
  placed: readonly PlacedArchive[],
  opened: readonly OpenedArchive[],
): Promise<SiteInputs[]> {
  const active = [...new Set(placed.map(({ archive }) => archive.catalog.metadata))];
  const environments = new Map(
    placed.flatMap(({ archive: { catalog }, placement }) =>
      placement.part === 'environment' ? [[placedName(placement, catalog.metadata.name), catalog.metadata]] : [],
    ),
  );
  const known = [...new Set([...opened, ...groups].flatMap(({ name }) => name ?? []))];
  return readSites({ configuration: file, sites, handed, origin }, { active, environments, known });
}
