import type { HistoryResult } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** The same as a command prints it: what there is no reason for has none. */
type Printed = Omit<HistoryResult, 'generations'> & {
  readonly generations: readonly (Omit<HistoryResult['generations'][number], 'reason'> & { reason: string | null })[];
};

/** Describes the generations of a configuration for a person, the newest first. */
export function historyView({ configuration, generations }: Printed, style: Style): string[] {
  return [
    style.bold(`configuration ${plain(configuration)}`),
    ...generations.flatMap(({ number, at, by, host, state, reason, cause, of, solutions }) => [
      `${style.bold(String(number))}  ${state === 'ready' ? style.good(state) : style.bad(state)}  ${plain(
        solutions.map(({ name, version }) => `${name} ${version}`).join(', ') || 'no Solution',
      )}`,
      ...table([
        ['  begun', `${at.replace(/\.\d+/, '')} by ${plain(by)} on ${plain(host)}`],
        ...(cause === 'install' ? [] : [['  by', of === undefined ? cause : `${cause} to ${of}`]]),
        ...(reason === null ? [] : [['  because', plain(reason)]]),
      ]),
    ]),
  ];
}
