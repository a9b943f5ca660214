import type { HostsChange } from './hosts-change.ts';

/** The changes of the mirror configuration, as paths of files. */
export interface MirrorResult {
  /** Written, because they were absent or different. */
  readonly written: readonly string[];
  /** Unchanged, because they lead to the mirror already. */
  readonly unchanged: readonly string[];
  /** Removed, because no configuration needs images of their registry any longer. */
  readonly removed: readonly string[];
}

/** Sums up the changes of files that are needed, and of those that no longer are. */
export function mirrorResult(needed: readonly HostsChange[], stale: readonly HostsChange[]): MirrorResult {
  const paths = (changes: readonly HostsChange[], fits: (change: HostsChange) => boolean): string[] =>
    changes.filter(fits).map(({ file }) => file.path);
  return {
    written: paths(needed, ({ action }) => action !== 'none'),
    unchanged: paths(needed, ({ action }) => action === 'none'),
    removed: paths(stale, ({ action }) => action === 'remove'),
  };
}
