import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache } from '../home.ts';
import type { LaneCounts } from './counts.ts';

/** What was run of the heavy lane, part by part, of one commit. */
export type HeavyRecord = Readonly<Record<string, LaneCounts>>;

/** Returns what is recorded of a commit; nothing if no part was run. */
export function recordOf(commit: string): HeavyRecord {
  try {
    return JSON.parse(readFileSync(placeOf(commit), 'utf8'));
  } catch {
    return {};
  }
}

/** Records what a part came to. */
export function record(commit: string, part: string, counts: LaneCounts): void {
  const place = placeOf(commit);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `${JSON.stringify({ ...recordOf(commit), [part]: counts }, null, 2)}\n`);
}

/** Returns which of `parts` are not green in a record, each with the reason. */
export function lackingIn(record: HeavyRecord, parts: readonly string[]): string[] {
  return parts.flatMap((part) => {
    const counts = record[part];
    if (counts === undefined) return [`${part} was not run`];
    return counts.failed > 0 ? [`${part} failed ${counts.failed} times`] : [];
  });
}

function placeOf(commit: string): string {
  return join(cache, 'heavy', `${commit}.json`);
}
