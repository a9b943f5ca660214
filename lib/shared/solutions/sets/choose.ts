import { compare, parse } from 'semver';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { isInRange, isVersionRange, LATEST, NONE } from '../../../../formats/solution/wanted-version.ts';
import { SolpackError } from '../../../kernel/events/index.ts';

/** An archive that could be active, by the name and version of its metadata, never by those of its file. */
export interface Candidate {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** The name that the configuration's group says it has; undefined where it says none. */
  readonly group: string | undefined;
}

/**
 * Chooses the archives that are to be active: for each Solution at most one, in order of names. Pure. It takes the
 * highest version by SemVer precedence (§11), and a pre-release only where that was asked for or where there is nothing
 * else; of a range the highest that node-semver finds in it. Throws `configuration-invalid`, `version-conflict`,
 * `version-absent`.
 */
export function choose<T extends Candidate>(configuration: SolutionsConfiguration, candidates: readonly T[]): T[] {
  for (const candidate of candidates) requireGroup(candidate);
  requireDistinct(candidates);
  const byName = Map.groupBy(candidates, ({ name }) => name);
  for (const [name, wanted] of configuration.active) {
    if (wanted !== NONE && !byName.has(name)) throw absent(name, wanted, []);
  }
  return [...byName.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, versions]) => {
      const wanted = wantedOf(configuration, name);
      return wanted === undefined ? [] : [pick(name, wanted, versions)];
    });
}

/**
 * What a configuration wants of a Solution, its environments aside: a version, a range or `latest`; undefined where
 * that is none.
 */
export function wantedOf({ active, implicit, environments }: SolutionsConfiguration, name: string): string | undefined {
  const wanted = active.get(name) ?? (implicit && !environments.has(name) ? LATEST : undefined);
  return wanted === NONE ? undefined : wanted;
}

function pick<T extends Candidate>(name: string, wanted: string, versions: readonly T[]): T {
  if (wanted === LATEST) return highest(name, versions);
  return isVersionRange(wanted) ? highestIn(name, wanted, versions) : exact(name, wanted, versions);
}

function requireGroup({ path, name, group }: Candidate): void {
  if (group === undefined || group === name) return;
  throw new SolpackError('configuration-invalid', path, `holds the Solution ${name}, but is listed under ${group}`, {
    hint: 'move it to the right group of the SolutionsConfiguration; if the file was overwritten, unimport and import it again',
  });
}

function requireDistinct(candidates: readonly Candidate[]): void {
  const seen = new Map<string, string>();
  for (const { name, version, path } of candidates) {
    const other = seen.get(`${name} ${version}`);
    if (other !== undefined) throw conflict(name, version, [other, path]);
    seen.set(`${name} ${version}`, path);
  }
}

function highest<T extends Candidate>(name: string, versions: readonly T[]): T {
  const releases = versions.filter(({ version }) => parse(version)?.prerelease.length === 0);
  return soleHighest(name, releases.length > 0 ? releases : versions);
}

function highestIn<T extends Candidate>(name: string, range: string, versions: readonly T[]): T {
  const eligible = versions.filter(({ version }) => isInRange(version, range));
  if (eligible.length > 0) return soleHighest(name, eligible);
  throw absent(
    name,
    range,
    versions.map(({ version }) => version),
  );
}

function soleHighest<T extends Candidate>(name: string, eligible: readonly T[]): T {
  const best = eligible.reduce((a, b) => (compare(a.version, b.version) >= 0 ? a : b));
  const ties = eligible.filter(({ version }) => compare(version, best.version) === 0);
  if (ties.length > 1)
    throw conflict(
      name,
      ties.map(({ version }) => version).join(' and '),
      ties.map(({ path }) => path),
    );
  return best;
}

function exact<T extends Candidate>(name: string, wanted: string, versions: readonly T[]): T {
  const same = versions.find(({ version }) => version === wanted);
  if (same) return same;
  const equal = wanted.includes('+') ? [] : versions.filter(({ version }) => compare(version, wanted) === 0);
  if (equal.length > 1)
    throw conflict(
      name,
      equal.map(({ version }) => version).join(' and '),
      equal.map(({ path }) => path),
    );
  const [match] = equal;
  if (!match)
    throw absent(
      name,
      wanted,
      versions.map(({ version }) => version),
    );
  return match;
}

function conflict(name: string, version: string, paths: readonly string[]): SolpackError {
  return new SolpackError(
    'version-conflict',
    `${name} ${version}`,
    `is in ${paths.join(' and in ')}, and none of them is higher`,
    {
      hint: 'remove one of the archives, or name the version to activate in full',
    },
  );
}

function absent(name: string, wanted: string, versions: readonly string[]): SolpackError {
  const there =
    versions.length > 0
      ? `its archives hold ${[...versions].sort(compare).join(', ')} only`
      : 'there is no archive of it';
  return new SolpackError('version-absent', `${name} ${wanted}`, `is active, but ${there}`, {
    hint: 'add its archive with "solpack import", or activate an available version; a file that was overwritten after its import may hold another one now',
  });
}
