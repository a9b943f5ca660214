import { resolveWorld } from '../../../formats/resolve/resolve.ts';
import type { Resolution } from '../../../formats/resolve/world.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { Release } from '../../../formats/solution/relations.ts';
import { worldOf } from '../../shared/solutions/sets/index.ts';
import type { FileEdits } from './edit-file.ts';
import type { ConfiguredArchive } from './look.ts';

/** An archive of a configuration, as one of those that a set is chosen from. */
interface KnownRelease extends Release {
  readonly of: ConfiguredArchive;
}

/**
 * Finds the set that an install of a configuration would choose of these archives, in a cluster that has nothing. Of a
 * version that is there twice it takes the first; an archive that is listed in the group of another Solution cannot be
 * active.
 */
export function setChosen(
  configuration: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
): Resolution<KnownRelease> {
  const usable = found.filter(({ name, group }) => group === undefined || group === name);
  const versions = new Map(usable.toReversed().map((of) => [`${of.name} ${of.version}`, { ...of.release, of }]));
  return resolveWorld(worldOf(configuration, [...versions.values()], { inventory: [], kubernetes: undefined }));
}

/** Returns where an edit leaves a configuration without a set that had one; `found` are its archives then. */
export function aboutSet(
  before: readonly [SolutionsConfiguration, readonly ConfiguredArchive[]],
  after: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
): FileEdits<unknown>['notices'] {
  const resolution = setChosen(after, found);
  if ('set' in resolution || 'none' in setChosen(...before)) return [];
  const { explanation, help } = resolution.none;
  const hint = help.length === 0 ? '' : ` What would help: ${help.join('; or ')}`;
  const message = `the next install will fail with set-impossible. ${explanation.join(' ')}${hint}`;
  return [{ subject: `configuration ${after.name}`, message }];
}

/** Returns a configuration that wants another version of a Solution, or of one of its environments. */
export function wantingOf(
  configuration: SolutionsConfiguration,
  name: string,
  wanted: string,
  environment: string | undefined,
): SolutionsConfiguration {
  if (environment === undefined) return { ...configuration, active: new Map(configuration.active).set(name, wanted) };
  const own = new Map(configuration.environments.get(name)).set(environment, wanted);
  return { ...configuration, environments: new Map(configuration.environments).set(name, own) };
}

/**
 * Returns who asks for a Solution of the set that the configuration does not want by itself: `shop 1.0.0`; undefined
 * where it does.
 */
export function askingFor(
  configuration: SolutionsConfiguration,
  found: readonly ConfiguredArchive[],
  name: string,
): { readonly name: string; readonly version: string } | undefined {
  const resolution = setChosen(configuration, found);
  if ('none' in resolution) return undefined;
  const { members } = resolution.set;
  if (members.find(({ release }) => release.name === name)?.why !== 'required') return undefined;
  return members.find(({ needs }) => needs.some(({ by }) => by === name))?.release.of;
}
