import type { Measure } from './measure.ts';
import type { Row } from './rows.ts';

/** Returns the median; of an even count, the mean of the two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const headings = ['', 'seconds', 'fastest', 'CPU s', 'peak MiB', 'written MB', 'solpack is', 'bar'];

/** Returns the title line of a table, with a column for requests where a server counts them. */
export function heading(counted: boolean): string {
  return line(counted ? [...headings, '', 'requests'] : headings);
}

/**
 * Formats one row: medians over all rounds, and the median ratio of solpack's time to this row's time in the same
 * round, so that a slow moment of the machine affects both.
 */
export function described({ name, bar, memory }: Row, runs: readonly Measure[], own: readonly Measure[]): string {
  const shares = runs.map(({ seconds }, round) => (own[round]?.seconds ?? Number.NaN) / seconds);
  const share = median(shares);
  const peak = mebibytes(Math.max(...runs.map((run) => run.memory)));
  const verdict = (limit: string, held: boolean): string => `${limit} ${held ? 'held' : 'missed'}`;
  return line([
    name,
    median(runs.map(({ seconds }) => seconds)).toFixed(2),
    Math.min(...runs.map(({ seconds }) => seconds)).toFixed(2),
    median(runs.map(({ processor }) => processor)).toFixed(2),
    peak,
    (median(runs.map(({ written }) => written)) / 1e6).toFixed(0),
    runs === own ? '' : `${share.toFixed(2)} x`,
    bar === undefined ? '' : verdict(bar.toFixed(2), share <= bar),
    memory === undefined ? '' : verdict(`${memory} MiB`, Number(peak) <= memory),
    ...(runs[0]?.requests === undefined ? [] : [median(runs.map(({ requests = 0 }) => requests)).toFixed(0)]),
  ]);
}

/** Formats a count of bytes in MiB. */
export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

/** Formats a line of a table. */
export function line([name = '', ...columns]: readonly string[]): string {
  return name.padEnd(34) + columns.map((column) => column.padStart(12)).join('');
}
