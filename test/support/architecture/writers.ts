import type { Sources } from './code.ts';

/** Ways to open a file for writing, or to write one, by its path. What a held folder opens follows no link. */
const WRITES = [
  /\b(?:createWriteStream|writeFileSync|appendFile|appendFileSync|copyFileSync)\(/,
  /\bfs\.(?:writeFile|appendFile|copyFile|cp|truncate)\(/,
  /(?<!\bfolder\.)\b(?:open|openSync)\([^;]*(?:O_WRONLY|O_RDWR|O_CREAT|O_APPEND|, '(?:[wa]x?\+?|r\+)')/,
] as const;

/**
 * The files that may do so. What somebody has named goes through the first group, which follow no link of others. The
 * rest write in folders that nobody else may enter, or that are held: temporary ones, a store, and the folder
 * `.solpack` beside a definition.
 */
const writers: ReadonlySet<string> = new Set([
  ...[
    'lib/kernel/files/held-folder.ts',
    'lib/kernel/files/folder-tree.ts',
    'lib/kernel/files/pending-file.ts',
    'lib/kernel/files/log-file.ts',
    'lib/parts/archives/sectors.ts',
  ],
  ...[
    'lib/kernel/workers/output.ts',
    'lib/parts/registry-server/store/durable-files.ts',
    'lib/parts/registry-server/store/upload.ts',
  ],
  ...['lib/parts/components/plugin/output.ts', 'lib/parts/components/tools.ts', 'lib/parts/components/kustomized.ts'],
  ...['lib/kernel/files/spool-file.ts', 'lib/parts/archives/recipes/rebuild.ts'],
  'lib/shared/solutions/deltas/below/patch-file.ts',
  ...['lib/parts/components/temporary-files.ts', 'lib/parts/images/spool.ts', 'lib/shared/rendering/site-values.ts'],
  ...[
    'lib/shared/rendering/carried-programs.ts',
    'lib/parts/node-images/storage-place.ts',
    'lib/parts/sources/unpack.ts',
  ],
  ...['lib/parts/sources/https-file.ts', 'lib/parts/sources/git-files.ts', 'lib/parts/sources/store.ts'],
]);

/** Lists where else the product opens a file for writing. */
export function writesElsewhere(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    if (writers.has(path)) return [];
    const lines = source.split('\n');
    return lines.flatMap((line, at) =>
      WRITES.some((write) => write.test(line)) ? [`${path}:${at + 1}: ${line.trim()}`] : [],
    );
  });
}
