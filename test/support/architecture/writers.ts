import type { Sources } from './code.ts';

/** Ways to open a file for writing, or to write one, by its path. What a held folder opens follows no link. */
const WRITES = [
  /\b(?:createWriteStream|writeFileSync|appendFile|appendFileSync|copyFileSync)\(/,
  /\bfs\.(?:writeFile|appendFile|copyFile|cp|truncate)\(/,
  /(?<!\bfolder\.)\b(?:open|openSync)\([^;]*(?:O_WRONLY|O_RDWR|O_CREAT|O_APPEND|, '(?:[wa]x?\+?|r\+)')/,
] as const;

/**
 * The files that may do so. What somebody has named goes through the first group, which follow no link of others. The rest write in
 * folders that nobody else may enter, or that are held: temporary ones, a store, and the folder `.solpack` beside a definition.
 */
const writers: ReadonlySet<string> = new Set([
  ...['lib/held-folder.ts', 'lib/folder-tree.ts', 'lib/pending-file.ts', 'lib/log-file.ts', 'lib/archives/sectors.ts'],
  ...['lib/workers/output.ts', 'lib/registry-server/store/durable-files.ts', 'lib/registry-server/store/upload.ts'],
  ...['lib/components/plugin/output.ts', 'lib/components/tools.ts', 'lib/components/kustomized.ts'],
  ...['lib/components/temporary-files.ts', 'lib/images/spool.ts', 'lib/rendering/site-values.ts'],
  ...['lib/rendering/carried-programs.ts', 'lib/node-images/storage-place.ts', 'lib/sources/unpack.ts'],
  ...['lib/sources/https-file.ts', 'lib/sources/git-files.ts', 'lib/sources/store.ts'],
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
