import type { Flow } from '../flow.ts';
import { choose } from '../solutions/choose.ts';
import { closeAll, openAll, readConfiguration } from '../solutions/configuration.ts';

/** An archive that a SolutionsConfiguration names. */
export interface ArchiveOnNode {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Whether an install would choose it. */
  readonly active: boolean;
}

/** Lists the archives of a SolutionsConfiguration, and which of them an install would choose; none of them is verified. */
export async function archivesOnNode(
  file: string,
  flow: Flow,
): Promise<{ readonly configuration: string; readonly archives: readonly ArchiveOnNode[] }> {
  const configuration = await readConfiguration(file);
  const opened = await openAll(file, configuration, flow);
  try {
    const active = new Set(choose(configuration, opened).map(({ path }) => path));
    const archives = opened.map(({ path, name, version }) => ({ path, name, version, active: active.has(path) }));
    return { configuration: configuration.name, archives };
  } finally {
    await closeAll(opened);
  }
}
