import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import {
  type ConfiguredArchives,
  closeAll,
  type OpenedArchive,
  openAll,
  placeSet,
  readConfiguration,
  requireChoice,
  requireSet,
} from '../../shared/solutions/sets/index.ts';

/** An archive that a SolutionsConfiguration names. */
export interface ArchiveOnNode {
  readonly path: string;
  /** Null where it cannot be opened. */
  readonly name: string | null;
  readonly version: string | null;
  /** Whether an install would choose it. */
  readonly active: boolean;
  /** Why it cannot be opened; left out where it can. */
  readonly reason?: string;
}

/**
 * Lists the archives of a SolutionsConfiguration, and which of them an install would choose; none of them is verified.
 * Where it would choose none, a notice says why.
 */
export async function archivesOnNode(
  file: string,
  flow: Flow,
  media?: MediaContext,
): Promise<{ readonly configuration: string; readonly archives: readonly ArchiveOnNode[] }> {
  const configuration = await readConfiguration(file);
  const found = await openAll(file, configuration, flow, media);
  try {
    const active = activeOf(() => chosenOnNode(configuration, { ...found, unopened: [] }, flow), flow);
    const opened = found.opened.map(({ path, name, version }) => ({ path, name, version, active: active.has(path) }));
    return { configuration: configuration.name, archives: [...opened, ...found.unopened.map(unreadable)] };
  } finally {
    await closeAll(found.opened);
  }
}

/** The archives of the set that an install would choose, whatever else a cluster has. */
function chosenOnNode(
  configuration: SolutionsConfiguration,
  found: ConfiguredArchives,
  flow: Flow,
): readonly OpenedArchive[] {
  requireChoice(configuration, found, flow);
  return placeSet(configuration, requireSet(configuration, found.opened, { inventory: [], kubernetes: undefined }))
    .archives;
}

function activeOf(chosen: () => readonly { readonly path: string }[], { onEvent }: Flow): ReadonlySet<string> {
  try {
    return new Set(chosen().map(({ path }) => path));
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    onEvent({ type: 'notice', subject: error.subject, message: `an install would fail: ${error.message}` });
    return new Set();
  }
}

function unreadable({ path, error }: ConfiguredArchives['unopened'][number]): ArchiveOnNode {
  if (!(error instanceof SolpackError)) throw error;
  return { path, name: null, version: null, active: false, reason: error.message };
}
