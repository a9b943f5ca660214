import { instanceParts } from '../solution/environments.ts';
import type { Release } from '../solution/relations.ts';
import { LATEST } from '../solution/wanted-version.ts';
import type { Clause } from './clause.ts';
import type { Ask, Fact, Speakers } from './fact.ts';
import { bitsOf, type CandidatePackage, releasesOf } from './packages.ts';
import type { Searchable } from './searchable.ts';

/** Begins the words for all versions of a Solution. */
const EVERY = 'every ';

/** How many versions are named one by one. */
const NAMED = 4;

interface Known extends Pick<Searchable, 'packages' | 'providers'> {
  /** Whether it is about what would change in a cluster, and not about archives. */
  readonly isChange?: boolean;
}

/** Says what is given. */
export function factWords(fact: Fact, known: Known): string {
  switch (fact.kind) {
    case 'wanted': {
      const { name, wanted } = fact;
      const { name: solution, environment } = instanceParts(name);
      const where = environment === undefined ? '' : ` in ${environment}`;
      const own = known.packages.find((one) => one.name === name);
      const there = own && own.releases.length > 0 ? '' : ', of which there is no archive';
      return `the configuration wants ${wanted === LATEST ? solution : `${solution} ${wanted}`}${where}${there}`;
    }
    case 'barred':
      return `the configuration wants no ${fact.name}`;
    case 'shared':
      return `all environments of ${fact.name} share what the highest version in use provides`;
    case 'requires': {
      const asks = fact.asks.map(askWords).join(' or ');
      return `${speakersWords(fact.who, known)} requires ${asks}${thereIs(fact.asks, known)}`;
    }
    case 'conflicts':
      return `${speakersWords(fact.who, known)} conflicts with ${askWords(fact.ask)}, which ${isWords(fact.other, fact.ask.name, known)}`;
    case 'replaces':
      return `${speakersWords(fact.who, known)} replaces ${askWords(fact.ask)}`;
    case 'exclusive':
      return `${speakersWords(fact.who, known)} provides ${fact.capability} exclusively, and ${speakersWords(fact.other, known)} provides it too`;
    case 'upgrade':
      return `${speakersWords(fact.who, known)} can be installed over ${fact.of} ${fact.over} only, and the cluster has ${fact.of} ${fact.present}`;
    case 'lower':
      return `${speakersWords(fact.who, known)} is lower than ${fact.present}, which the cluster has`;
    case 'kubernetes':
      return `${speakersWords(fact.who, known)} is for Kubernetes ${fact.range}, and the cluster has ${fact.version}`;
  }
}

/** Says what follows from other things. */
export function conclusionWords({ terms }: Clause<Fact>, { packages }: Known): string {
  const given: string[] = [];
  const wanted: string[] = [];
  for (const [about, values] of terms) {
    const one = packages[about]!;
    if ((values & one.absent) === 0n) given.push(versionsWords(one, values));
    else wanted.push(versionsWords(one, one.all & ~values));
  }
  if (given.length + wanted.length === 0) return 'no set meets all of this';
  if (wanted.length === 0) {
    if (given.length > 1) return `${listed(given, 'and')} cannot be installed together`;
    return given[0]!.startsWith(EVERY)
      ? `no ${given[0]!.slice(EVERY.length)} can be installed`
      : `${given[0]} cannot be installed`;
  }
  if (given.length === 0) return `${listed(wanted, 'or')} has to be installed`;
  return `${listed(given, 'with')} needs ${listed(wanted, 'or')}`;
}

function askWords({ name, range }: Ask): string {
  return range === '*' ? name : `${name} ${range}`;
}

function isWords(other: Speakers, name: string, known: Known): string {
  const words = speakersWords(other, known);
  return other.name === name ? `is there as ${words}` : `${words} provides`;
}

/** What there is of what is asked for, where that is not enough, or not chosen freely. */
function thereIs(asks: readonly Ask[], { packages, providers, isChange = false }: Known): string {
  const words = asks.map(({ name, range }) => {
    const meeting = providers.meeting(name, range);
    const holding = packages.filter(({ index }) => (providers.holding(name, '*').get(index) ?? 0n) !== 0n);
    const own = packages.find((one) => one.name === name && one.releases.length > 0);
    if (own?.installedBy !== undefined) {
      const { version } = own.releases[0]!;
      if (isChange) return `${name} would be installed in ${version}`;
      return `the cluster has ${name} ${version}, which the configuration ${own.installedBy} has installed`;
    }
    if (meeting.size > 0) return undefined;
    if (own)
      return `there is ${name} in ${listed(
        own.releases.map(({ version }) => version),
        'and',
      )} only`;
    if (holding.length === 0) return isChange ? `${name} would be gone` : `there is no archive of ${name}`;
    const provided = holding.flatMap(({ releases, name: by }) =>
      releases.flatMap(({ version, provides = {} }) =>
        provides[name] ? [`${provides[name]} (${by} ${version})`] : [],
      ),
    );
    return `${name} is provided in ${listed(provided, 'and')} only`;
  });
  const some = words.filter((one) => one !== undefined);
  return some.length === asks.length ? `, but ${some.join(', and ')},` : '';
}

function speakersWords({ name, releases }: Speakers, { packages }: Known): string {
  const one = packages.find((own) => own.name === name)!;
  return versionsWords(
    one,
    bitsOf(one, (release) => releases.includes(release)),
  );
}

/** Names versions of a Solution. */
function versionsWords(one: CandidatePackage<Release>, bits: bigint): string {
  const { name, releases, absent, installedBy } = one;
  const own = releasesOf(one, bits);
  const versions = own.map(({ version }) => version);
  if (installedBy !== undefined) return `${name} ${versions[0]} of the configuration ${installedBy}`;
  if (bits === absent - 1n && releases.length > 1) return `${EVERY}version of ${name}`;
  if (versions.length <= NAMED) return `${name} ${listed(versions, 'or')}`;
  const [first] = versions;
  const last = releases.indexOf(own.at(-1)!);
  const isRun = last - releases.indexOf(own[0]!) === own.length - 1;
  if (isRun) return `${name} ${own.at(-1)!.version} to ${first}`;
  return `${name} ${listed([...versions.slice(0, NAMED - 1), `${versions.length - NAMED + 1} other versions`], 'or')}`;
}

/** Joins words: `a, b and c`. */
function listed(words: readonly string[], by: string): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${by} ${words.at(-1)}`;
}
