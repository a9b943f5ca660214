import type { SolutionsConfiguration } from '../../formats/solution/configuration.ts';
import { configurationForm } from '../../formats/solution/configuration-edit.ts';
import { NONE } from '../../formats/solution/wanted-version.ts';
import type { Flow } from '../flow.ts';
import { versionNow } from './chosen.ts';
import { editFile } from './edit-file.ts';
import { archiveLook } from './look.ts';
import type { Edited, MediaReach } from './request.ts';

/** Which Solution is not to be active. */
export interface DeactivateRequest {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly name: string;
  readonly media?: MediaReach;
}

/** What a deactivation did. */
export interface DeactivateResult extends Edited {
  readonly name: string;
  /** The version that an install would have chosen before; undefined where none. */
  readonly from?: string;
}

/**
 * Says in a SolutionsConfiguration that no version of a Solution is to be active: by `none` in the grouped form, in the flat one by
 * leaving it out. Where that is so already, it is told. Throws what `editFile` throws.
 */
export async function deactivateSolution(
  { configuration: path, name, media }: DeactivateRequest,
  flow: Flow,
): Promise<DeactivateResult> {
  const look = archiveLook(path, flow, media);
  return editFile(path, flow, async (before) => {
    const isActive = isWanted(before, name);
    const from = isActive ? versionNow(before, await look.all(before), name) : undefined;
    return {
      edits: isActive ? [{ edit: 'want', solution: name, wanted: NONE }] : [],
      notices: isActive ? [] : [{ subject: name, message: 'is not active' }],
      result: (_, { changed }): DeactivateResult => ({
        configuration: path,
        form: configurationForm(before),
        changed,
        name,
        ...(from === undefined ? {} : { from }),
      }),
    };
  });
}

function isWanted(before: SolutionsConfiguration, name: string): boolean {
  if (!before.implicit) return before.active.has(name);
  return before.groups.some((group) => group.name === name) && before.active.get(name) !== NONE;
}
