import { rcompare } from 'semver';
import type { Digest } from '../../../../formats/digest.ts';
import type { ResolvedSet } from '../../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { instanceName } from '../../../../formats/solution/environments.ts';
import { NONE } from '../../../../formats/solution/wanted-version.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { Candidate } from './choose.ts';
import { chooseOpened } from './choose-opened.ts';
import type { ConfiguredArchives, OpenedArchive } from './opened.ts';
import type { ArchiveRelease } from './set-candidates.ts';

/**
 * What of an archive is brought where. `whole`: all of it, where its author says. `environment`: what lives in
 * namespaces, in the namespace `environment`. `shared`: what all environments of a Solution share; `environment` is the
 * one that it leads to, null where there is none.
 */
export type Placement = {
  /** Of the archive. */
  readonly root: Digest;
  readonly part: 'whole' | 'shared' | 'environment';
  readonly environment: string | null;
};

/** The version that runs in an environment. */
export interface ChosenEnvironment<T extends Candidate = OpenedArchive> {
  readonly namespace: string;
  readonly chosen: T;
}

/** The environments of Solutions, by their names: the highest version first. */
export type ChosenEnvironments<T extends Candidate = OpenedArchive> = ReadonlyMap<
  string,
  readonly ChosenEnvironment<T>[]
>;

/**
 * Chooses which version runs in each environment of a configuration, as `chooseOpened` does for a Solution. Those of a
 * Solution that is not to be active at all are left out. Throws as that.
 */
export function chooseEnvironments(
  configuration: SolutionsConfiguration,
  found: ConfiguredArchives,
): ChosenEnvironments {
  // What cannot be opened, and is not needed, is reported once: of what all environments share.
  const silent: Pick<Flow, 'onEvent'> = { onEvent: () => undefined };
  return environmentsBy(configuration, (name, wanted) => {
    const opened = found.opened.filter((one) => one.name === name);
    const unopened = found.unopened.filter(({ group }) => group === undefined || group === name);
    return chooseOpened(wanting(configuration, name, wanted), { opened, unopened }, silent)[0]!;
  });
}

/** The same by any way to choose a version of a Solution. */
export function environmentsBy<T extends Candidate>(
  { environments, active }: Pick<SolutionsConfiguration, 'environments' | 'active'>,
  choose: (name: string, wanted: string) => T,
): ChosenEnvironments<T> {
  const chosen = [...environments].flatMap(([name, wanted]) => {
    if (active.get(name) === NONE) return [];
    const own = [...wanted].map(([namespace, version]) => ({ namespace, chosen: choose(name, version) }));
    return [[name, own.sort(highestFirst)] as const];
  });
  return new Map(chosen);
}

/** Returns a configuration that wants one version of one Solution, and nothing else. */
export function wanting(configuration: SolutionsConfiguration, name: string, wanted: string): SolutionsConfiguration {
  return { ...configuration, active: new Map([[name, wanted]]), implicit: false, environments: new Map() };
}

/**
 * Returns a configuration that wants of each Solution with environments the version that all of these share: the
 * highest of theirs, or the one that it wants besides, if that is higher. `versionOf` says which one that is.
 */
export function sharing<T extends Candidate>(
  configuration: SolutionsConfiguration,
  chosen: ChosenEnvironments<T>,
  versionOf: (name: string, wanted: string) => string,
): SolutionsConfiguration {
  const active = new Map(configuration.active);
  for (const [name, own] of chosen) {
    const wanted = configuration.active.get(name);
    const versions = own.map((one) => one.chosen.version);
    if (wanted !== undefined) versions.push(versionOf(name, wanted));
    active.set(name, versions.sort(rcompare)[0] ?? NONE);
  }
  return { ...configuration, active };
}

/** What is chosen of a configuration. */
export interface ChosenArchives {
  /**
   * Every archive that is used, each once: of a Solution with environments the one that all of these share comes first.
   */
  readonly archives: readonly OpenedArchive[];
  readonly placements: readonly Placement[];
  readonly environments: ChosenEnvironments;
}

/**
 * Makes sure that there is an archive of each version that a configuration wants, and one alone, whatever they ask of
 * each other. Throws as `chooseOpened`.
 */
export function requireChoice(
  configuration: SolutionsConfiguration,
  found: ConfiguredArchives,
  flow: Pick<Flow, 'onEvent'>,
): void {
  const environments = chooseEnvironments(configuration, found);
  const versionOf = (name: string, wanted: string): string =>
    chooseEnvironments(
      { ...wanting(configuration, name, wanted), environments: new Map([[name, new Map([['', wanted]])]]) },
      found,
    ).get(name)![0]!.chosen.version;
  chooseOpened(sharing(configuration, environments, versionOf), found, flow);
}

/** Reports a set which archives are used, and what of them is brought where. */
export function placeSet(
  { environments: wanted, active }: Pick<SolutionsConfiguration, 'environments' | 'active'>,
  { members }: Pick<ResolvedSet<ArchiveRelease>, 'members'>,
): ChosenArchives {
  const environments = new Map<string, readonly ChosenEnvironment[]>();
  for (const [name, own] of wanted) {
    if (active.get(name) === NONE) continue;
    const placed = [...own.keys()].map((namespace) => {
      const member = members.find(({ release }) => release.name === instanceName(name, namespace))!;
      return { namespace, chosen: member.release.opened };
    });
    environments.set(name, placed.sort(highestFirst));
  }
  const chosen = members.flatMap(({ release: { name, opened } }) => (name === opened.name ? [opened] : []));
  const archives = chosen.flatMap((one) => [
    ...new Set([one, ...(environments.get(one.name) ?? []).map((each) => each.chosen)]),
  ]);
  const placements = chosen.flatMap((one): Placement[] => {
    const own = environments.get(one.name);
    const { digest: root } = one.archive.catalog.root;
    if (own === undefined) return [{ root, part: 'whole', environment: null }];
    return [
      { root, part: 'shared', environment: own[0]?.namespace ?? null },
      ...own.map(({ namespace, chosen: each }): Placement => {
        return { root: each.archive.catalog.root.digest, part: 'environment', environment: namespace };
      }),
    ];
  });
  return { archives, placements, environments };
}

/** Names what is placed, as the cluster knows it: the Solution, or one of its environments. */
export function placedName({ part, environment }: Placement, solution: string): string {
  return instanceName(solution, part === 'environment' ? (environment ?? undefined) : undefined);
}

function highestFirst(a: ChosenEnvironment<Candidate>, b: ChosenEnvironment<Candidate>): number {
  return rcompare(a.chosen.version, b.chosen.version) || (a.namespace < b.namespace ? -1 : 1);
}
