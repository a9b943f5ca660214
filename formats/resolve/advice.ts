import { compare, minVersion } from 'semver';
import { instanceParts } from '../solution/environments.ts';
import type { Release } from '../solution/relations.ts';
import { LATEST } from '../solution/wanted-version.ts';
import { type Clause, factsBehind } from './clause.ts';
import { type Effort, TooEntangled } from './effort.ts';
import type { Ask, Fact, Speakers } from './fact.ts';
import { isResolvable } from './searchable.ts';
import { wayTo, wayWords } from './upgrades.ts';
import type { World } from './world.ts';

/** About how many facts of a conflict it is tried what would help: each is a world that is searched. */
const FACTS = 100;

/** Something that could be done about it, and the world as it would be then. */
interface Remedy {
  readonly words: string;
  readonly world: World;
}

/**
 * Finds what would help against a conflict, each by itself. Every remedy is tried before it is named; what there is no
 * effort left to try is not named.
 */
export function adviseOn(world: World, conflict: Clause<Fact>, effort: Effort): string[] {
  const facts = factsBehind(conflict).slice(0, FACTS);
  const helps = (tried: World): boolean => {
    try {
      return effort.left > 0 && isResolvable(tried, effort);
    } catch (error) {
      if (error instanceof TooEntangled) return false;
      throw error;
    }
  };
  const remedies = [...imports(world, facts, helps), ...facts.flatMap((fact) => remediesFor(fact, world, facts))];
  const distinct = new Map(remedies.map((remedy) => [remedy.words, remedy]));
  return [...distinct.values()].filter((remedy) => helps(remedy.world)).map(({ words }) => words);
}

/** Archives that could be imported: of each name that is required, one in all ranges that are, or in one of them. */
function imports(world: World, facts: readonly Fact[], helps: (world: World) => boolean): Remedy[] {
  const asks = facts.flatMap((fact) => (fact.kind === 'requires' ? fact.asks : []));
  const names = [...new Set(asks.map(({ name }) => name))];
  return names.flatMap((name) => {
    const ranges = [...new Set(asks.flatMap((ask) => (ask.name === name ? [ask.range] : [])))];
    const together = ranges.length > 1 && ranges.every((range) => !range.includes('||')) ? [ranges.join(' ')] : [];
    const useful = [...together, ...ranges]
      .map((range) => ({ name, range }))
      .filter((ask) => lowestOf(ask) !== undefined);
    const first = useful.find((ask) => helps(withRelease(world, ask)));
    return first === undefined ? [] : [importOf(world, first)];
  });
}

function importOf(world: World, ask: Ask): Remedy {
  const { name, range } = ask;
  const any = range === '*' ? '' : ` in ${range}`;
  return { words: `import an archive of ${name}${any}`, world: withRelease(world, ask) };
}

function lowestOf({ range }: Ask): string | undefined {
  return minVersion(range)?.version;
}

/**
 * The world with one more archive, of a version in a range; a Solution that another configuration has is upgraded by
 * it.
 */
function withRelease(world: World, ask: Ask): World {
  const release: Release = { name: ask.name, version: lowestOf(ask)! };
  return { ...world, candidates: [...world.candidates.filter((one) => !isSame(one, release)), release] };
}

function isSame(a: Release, b: Release): boolean {
  return a.name === b.name && a.version === b.version;
}

function remediesFor(fact: Fact, world: World, facts: readonly Fact[]): Remedy[] {
  switch (fact.kind) {
    case 'wanted':
      return unwanted(fact.name, fact.wanted, world);
    case 'barred': {
      const barred = new Set([...(world.barred ?? [])].filter((name) => name !== fact.name));
      return [{ words: `activate ${fact.name}`, world: { ...world, barred } }];
    }
    case 'requires':
      return fact.asks.flatMap((ask) => upgradeElsewhere(ask, world));
    case 'kubernetes': {
      const { who, version } = fact;
      const other = facts.some((one) => one.kind === 'wanted' && one.name === who.name && one.wanted !== LATEST);
      const words = `import an archive of ${who.name} that is for Kubernetes ${version}${other ? ', and activate it' : ''}`;
      const wants = world.wants.has(who.name) ? new Map(world.wants).set(who.name, LATEST) : world.wants;
      const fitting = withRelease({ ...world, wants }, { name: who.name, range: '*' });
      return [{ words, world: fitting }];
    }
    case 'upgrade':
      return wayRemedies(fact.who, world);
    default:
      return [];
  }
}

/**
 * How to get to versions over what they may not be installed over: by one that there is an archive of, or by one more.
 */
function wayRemedies({ name, releases }: Speakers, world: World): Remedy[] {
  const { name: solution } = instanceParts(name);
  const standing = world.present?.find(({ release }) => release.name === name)?.release;
  const all = world.candidates.filter((one) => one.name === solution);
  const [target] = releases.toSorted((a, b) => compare(b.version, a.version));
  const way = standing && target && wayTo(target, all, standing);
  if (way === undefined) return [];
  const [, first = ''] = way.versions;
  const words = `the way is ${wayWords(way)}`;
  if (way.missing === undefined) {
    return [
      {
        words: `install ${name} ${first} first, or all of it by --through: ${words}`,
        world: wanting(world, name, first),
      },
    ];
  }
  const more = withRelease(world, { name: solution, range: first });
  return [{ words: `import an archive of ${solution} in ${way.missing}: ${words}`, world: wanting(more, name, first) }];
}

/** What could be wanted instead: nothing, or any version where only some are wanted. */
function unwanted(name: string, wanted: string, world: World): Remedy[] {
  const { name: solution, environment } = instanceParts(name);
  const where = environment === undefined ? '' : ` in ${environment}`;
  const none = { words: `deactivate ${solution}${where}`, world: wanting(world, name, undefined) };
  if (wanted === LATEST) return [none];
  const any = wanting(world, name, LATEST);
  return [{ words: `activate another version of ${solution} than ${wanted}${where}`, world: any }, none];
}

/** The world with another version wanted of a Solution, or of one of its environments; undefined is none. */
function wanting(world: World, name: string, wanted: string | undefined): World {
  const { name: solution, environment } = instanceParts(name);
  const [wants, environments] = [new Map(world.wants), new Map(world.environments)];
  const own = new Map(environments.get(solution));
  if (environment === undefined) {
    if (wanted === undefined) environments.delete(solution);
    return { ...world, wants: changed(wants, solution, wanted), environments };
  }
  const left = changed(own, environment, wanted);
  return {
    ...world,
    environments: left.size === 0 ? changed(environments, solution, undefined) : environments.set(solution, left),
  };
}

function changed<T>(map: Map<string, T>, name: string, value: T | undefined): Map<string, T> {
  if (value === undefined) map.delete(name);
  else map.set(name, value);
  return map;
}

function upgradeElsewhere({ name, range }: Ask, world: World): Remedy[] {
  const own = world.installed?.find(({ release }) => release.name === name);
  const version = lowestOf({ name, range });
  if (own === undefined || version === undefined) return [];
  const rest = world.installed!.filter((one) => one !== own);
  const installed = [...rest, { ...own, release: { ...own.release, version } }];
  const words = `have the configuration ${own.configuration} install ${name} in ${range}`;
  return [{ words, world: { ...world, installed } }];
}
