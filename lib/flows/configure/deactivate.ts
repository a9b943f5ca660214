import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type ConfigurationEdit, configurationForm } from '../../../formats/solution/configuration-edit.ts';
import { instanceName } from '../../../formats/solution/environments.ts';
import { NONE } from '../../../formats/solution/wanted-version.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { versionNow } from './chosen.ts';
import { editFile } from './edit-file.ts';
import { archiveLook } from './look.ts';
import type { Edited, MediaReach } from './request.ts';
import { aboutSet, wantingOf } from './set.ts';

/** Which Solution is not to be active. */
export interface DeactivateRequest {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly name: string;
  /** The namespace that it is not to run in any longer. Left out: it is not to be active anywhere. */
  readonly environment?: string | undefined;
  readonly media?: MediaReach;
}

/** What a deactivation did. */
export interface DeactivateResult extends Edited {
  readonly name: string;
  readonly environment?: string;
  /** The version that an install would have chosen before; undefined where none. */
  readonly from?: string;
}

/**
 * Sets in a SolutionsConfiguration that no version of a Solution is to be active: by `none` in the grouped form, in the
 * flat form by removing it with its environments. For one environment, it removes that. If nothing would change, it
 * reports that. Throws what `editFile` throws.
 */
export async function deactivateSolution(
  { configuration: path, name, environment, media }: DeactivateRequest,
  flow: Flow,
): Promise<DeactivateResult> {
  const look = archiveLook(path, flow, media);
  return editFile(path, flow, async (before) => {
    const isActive = environment === undefined ? isWanted(before, name) : isPlaced(before, name, environment);
    const found = isActive ? await look.all(before) : [];
    const from = isActive ? versionNow(before, found, name, environment) : undefined;
    const after =
      environment === undefined ? wantingOf(before, name, NONE, undefined) : withoutPlace(before, name, environment);
    return {
      edits: isActive ? editsFor(before, name, environment) : [],
      notices: isActive
        ? aboutSet([before, found], after, found)
        : [{ subject: instanceName(name, environment), message: 'is not active' }],
      result: (_, { changed }): DeactivateResult => ({
        configuration: path,
        form: configurationForm(before),
        changed,
        name,
        ...(environment === undefined ? {} : { environment }),
        ...(from === undefined ? {} : { from }),
      }),
    };
  });
}

function isWanted(before: SolutionsConfiguration, name: string): boolean {
  if (!before.implicit) return before.active.has(name) || (before.environments.get(name)?.size ?? 0) > 0;
  return before.groups.some((group) => group.name === name) && before.active.get(name) !== NONE;
}

function withoutPlace(before: SolutionsConfiguration, name: string, environment: string): SolutionsConfiguration {
  const own = new Map(before.environments.get(name));
  own.delete(environment);
  return { ...before, environments: new Map(before.environments).set(name, own) };
}

function isPlaced(before: SolutionsConfiguration, name: string, environment: string): boolean {
  return before.environments.get(name)?.has(environment) === true;
}

function editsFor(
  before: SolutionsConfiguration,
  solution: string,
  environment: string | undefined,
): ConfigurationEdit[] {
  const taken = (one: string): ConfigurationEdit => ({ edit: 'place', solution, environment: one, wanted: NONE });
  if (environment !== undefined) return [taken(environment)];
  const wanted: ConfigurationEdit = { edit: 'want', solution, wanted: NONE };
  return before.implicit ? [wanted] : [wanted, ...[...(before.environments.get(solution)?.keys() ?? [])].map(taken)];
}
