import { valid } from 'semver';
import type { SolutionsConfiguration } from '../../../../formats/solution/configuration.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import { choose, wantedOf } from './choose.ts';
import type { ConfiguredArchives, OpenedArchive, Unopened } from './opened.ts';

/**
 * Chooses as `choose` does, of the archives that could be opened. What could not is reported, where none of it can be
 * what is wanted: then the version to activate is named in full, and is there. Otherwise its own error ends this: of
 * what cannot be read, the version is unknown, and it may be the highest. Throws as `choose`, and what opening threw.
 */
export function chooseOpened(
  configuration: SolutionsConfiguration,
  { opened, unopened }: ConfiguredArchives,
  { onEvent }: Pick<Flow, 'onEvent'>,
): OpenedArchive[] {
  const needed = unopened.find((one) => mayBeActive(one, configuration, opened));
  if (needed) throw neededError(needed);
  // An install of nothing removes all: that nothing can be opened is no reason for it.
  if (opened.length === 0 && unopened.length > 0) throw unopened[0]!.error;
  for (const { path, error } of unopened) {
    const why = error instanceof Error ? error.message : String(error);
    onEvent({ type: 'notice', subject: path, message: `cannot be opened, but is not needed: ${why}` });
  }
  return choose(configuration, opened);
}

/** Returns whether what could not be opened may be what the configuration activates. */
function mayBeActive(
  { group }: Unopened,
  configuration: SolutionsConfiguration,
  opened: readonly OpenedArchive[],
): boolean {
  const names = group === undefined ? [...configuration.active.keys()] : [group];
  return names.some((name) => {
    const wanted = wantedOf(configuration, name);
    if (wanted === undefined) return false;
    // Only a version in full cannot be surpassed by one that nobody has seen.
    if (valid(wanted) === null) return true;
    return !opened.some((one) => one.name === name && one.version === wanted);
  });
}

function neededError({ path, error }: Unopened): unknown {
  if (!(error instanceof SolpackError)) return error;
  return new SolpackError(error.code, path, `${error.message}, and it may be the version to activate`, {
    cause: error,
    hint: `${error.hint ?? 'fetch it again'}; or name the version to activate in full (activeVersion), or remove it`,
  });
}
