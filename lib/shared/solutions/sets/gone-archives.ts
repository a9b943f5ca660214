import { compare, valid } from 'semver';
import { shellWord } from '../../../../formats/shell-word.ts';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { instanceParts } from '../../../../formats/solution/environments.ts';
import { isInRange, LATEST, NONE } from '../../../../formats/solution/wanted-version.ts';
import { SolpackError } from '../../../kernel/events/index.ts';
import type { InventoryEntry } from '../../../parts/clusters/index.ts';
import { wantedVersions } from './active.ts';
import { choose, wantedOf } from './choose.ts';
import type { FoundArchives, FoundEntry, Unopened } from './opened.ts';
import { wanting } from './placements.ts';

/** What an install goes by. */
interface Surroundings {
  /** The path of the configuration, as messages name it. */
  readonly file: string;
  /** What the cluster has; undefined where none is asked. */
  readonly inventory: readonly InventoryEntry[] | undefined;
}

/**
 * Makes sure that nothing is removed, and nothing goes down, because an archive cannot be found: an empty mount point
 * would look like a configuration that wants nothing. Whether something goes is for the document to say, whatever its
 * entries hold. Throws `archive-gone`.
 */
export function requireFound(
  configuration: SolutionsConfiguration,
  found: FoundArchives,
  { file, inventory }: Surroundings,
): void {
  if (inventory === undefined) requireAny(configuration, found);
  for (const there of inventory ?? []) {
    if (there.configuration !== configuration.name || there.state === 'removed') continue;
    if (!configuration.saysActive) {
      throw gone(file, `does not say what is active, but ${there.name} ${there.version} is installed`, [
        'restore its content',
        `to remove all of it: "active: {}", or solpack uninstall ${shellWord(configuration.name)}`,
      ]);
    }
    requireArchiveOf(there, configuration, found);
  }
}

/**
 * Where no cluster is asked, it is unknown what is installed: an install without an archive would take this machine's
 * mirrors away.
 */
function requireAny(configuration: SolutionsConfiguration, { entries, opened }: FoundArchives): void {
  const isBrought = (group: string | undefined): boolean => opened.some(({ name }) => (group ?? name) === name);
  const empty = entries.find(({ group, count }) => count === 0 && isWanted(configuration, group) && !isBrought(group));
  if (empty === undefined) return;
  throw gone(
    empty.entry,
    'holds no archive, and without a cluster it is unknown whether something from it is installed',
    ['is the medium mounted? To install nothing from it: solpack deactivate NAME'],
  );
}

/** Whether an entry is for something that is to be active. */
function isWanted(configuration: SolutionsConfiguration, group: string | undefined): boolean {
  const { active, environments } = configuration;
  if (group === undefined) return active.size + environments.size > 0;
  return wantedOf(configuration, group) !== undefined || (active.get(group) !== NONE && environments.has(group));
}

function requireArchiveOf(there: InventoryEntry, configuration: SolutionsConfiguration, found: FoundArchives): void {
  const { name } = instanceParts(there.name);
  const wanted = wantedOfInstance(there.name, configuration);
  if (wanted === undefined) return;
  const isOf = ({ group }: { readonly group: string | undefined }): boolean => group === undefined || group === name;
  const entries = found.entries.filter(isOf);
  const candidates = found.opened.filter((one) => one.name === name);
  const unopened = found.unopened.filter(isOf);
  if (unopened.length > 0) {
    // What cannot be opened has an error of its own, which says more; but not of what is not there.
    if (candidates.length > 0 || !unopened.every(isNotThere)) return;
    throw nothingAt(unopened[0]!.path, there);
  }
  if (candidates.length === 0) throw nothingOf(there, entries, found.opened.some(isOf));
  const [chosen] = choose(wanting(configuration, name, wanted), candidates);
  const { version } = there;
  if (chosen === undefined || valid(version) === null || compare(chosen.version, version) >= 0) return;
  if (!mayBe(version, wanted) || candidates.some((one) => one.version === version)) return;
  const entry = entries.find(({ several }) => several);
  if (entry === undefined) return;
  throw gone(
    entry.entry,
    `no longer holds ${there.name} ${version}, which is installed: the highest there is ${chosen.version}`,
    [
      `put its archive back; to downgrade to that version: solpack activate ${name} ${chosen.version}${environmentFlag(there.name)}`,
    ],
  );
}

/**
 * Whether an install may end otherwise once it is known what is installed: an entry holds no archive, or is not there.
 */
export function isForsaken({ entries, unopened }: FoundArchives): boolean {
  return entries.some(({ count }) => count === 0) || unopened.some(isNotThere);
}

function isNotThere({ error }: Unopened): boolean {
  return error instanceof SolpackError && error.code === 'file-missing';
}

/** What a document wants of what is installed; undefined where it does not want it, or does not list it. */
function wantedOfInstance(instance: string, configuration: SolutionsConfiguration): string | undefined {
  const { name, environment } = instanceParts(instance);
  const { groups, implicit } = configuration;
  if (environment === undefined && implicit && !groups.some((group) => group.name === name)) return undefined;
  return wantedVersions(configuration, name).find((one) => one.environment === environment)?.wanted;
}

/** Returns whether a document would take a version, if its archive were there. */
function mayBe(version: string, wanted: string): boolean {
  if (wanted === LATEST) return true;
  return valid(wanted) === null && isInRange(version, wanted);
}

function nothingAt(path: string, there: InventoryEntry): SolpackError {
  return gone(path, `is not there, but ${there.name} ${there.version} is installed`, [
    `check the path, and is the medium mounted? ${removalWords(there)}`,
  ]);
}

function removalWords(there: InventoryEntry): string {
  return `To remove it: solpack deactivate ${instanceParts(there.name).name}${environmentFlag(there.name)}`;
}

function nothingOf(there: InventoryEntry, entries: readonly FoundEntry[], holdsOthers: boolean): SolpackError {
  const { name, environment } = instanceParts(there.name);
  const remove = removalWords(there);
  const is = `${there.name} ${there.version} is installed`;
  const entry = entries.find(({ count }) => count === 0) ?? entries.find(({ several }) => several);
  if (entry === undefined) {
    const subject = environment === undefined ? `solutions: ${name}` : there.name;
    return gone(subject, `has no archive in the configuration, but ${is}`, [`import one: solpack import. ${remove}`]);
  }
  const holds = entry.count === 0 || !holdsOthers ? 'holds no archive' : `holds no archive of ${name}`;
  return gone(entry.entry, `${holds}, but ${is}`, [`is the medium mounted? ${remove}`]);
}

function environmentFlag(instance: string): string {
  const { environment } = instanceParts(instance);
  return environment === undefined ? '' : ` --environment ${environment}`;
}

function gone(subject: string, message: string, hints: readonly string[]): SolpackError {
  return new SolpackError('archive-gone', subject, message, { hint: hints.join('; ') });
}
