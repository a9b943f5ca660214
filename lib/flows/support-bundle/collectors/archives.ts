import { stat } from 'node:fs/promises';
import { closeAll, openAll, readConfiguration } from '../../../shared/solutions/sets/index.ts';
import type { Collector } from '../collector.ts';

/**
 * Returns which archives the configuration names: what each is, or why it cannot be opened. Their content stays where
 * it is.
 */
export const archives: Collector = {
  name: 'the archives',
  collect: async ({ request: { configuration: path, media }, bundle, flow }) => {
    if (path === undefined) return;
    const { opened, unopened } = await openAll(path, await readConfiguration(path), flow, media);
    try {
      const found: object[] = [];
      for (const { path: file, name, version, archive } of opened) {
        const size = await stat(file).then(
          (stats) => stats.size,
          () => undefined,
        );
        found.push({ path: file, name, version, root: archive.catalog.root.digest, size });
      }
      for (const { path: file, error } of unopened) {
        const reason = error instanceof Error ? error.message : String(error);
        found.push({ path: file, error: reason });
        bundle.missing(`archive ${file}`, reason);
      }
      await bundle.items('archives.json', found);
    } finally {
      await closeAll(opened);
    }
  },
};
