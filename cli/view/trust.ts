import { shortKey } from '../../lib/command.ts';
import type { Mended, Shown } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** Describes the result of `trust show` for a person. */
export function trustView({ state, clock, time, solutions, mends }: Shown, style: Style): string[] {
  const place = plain(state);
  if (solutions.length === 0 && mends.length === 0) return [`nothing is remembered in ${place}`];
  const rows = solutions.map(({ name, sequence, newest, movesTime, time: own }) => [
    `  ${style.bold(plain(name))}`,
    ...wordsOf({ sequence, newest }),
    movesTime ? 'advances the time for all' : own > time ? `is judged as if it were ${date(own)}` : '',
  ]);
  const proved =
    time > clock ? `${date(time)}, as a Solution that advances the time for all proves; the clock says ` : '';
  return [
    `remembered in ${place}`,
    ...table(rows),
    `  the time is ${proved}${date(clock)}`,
    ...mends.map((digest) => `  mended by ${digest}`),
  ];
}

/** Describes the result of `trust mend` for a person. */
export function mendView({ state, signers, solutions }: Mended): string[] {
  return [
    `corrected what is remembered in ${plain(state)}`,
    ...table(solutions.map((solution) => [`  ${plain(solution.name)}`, ...wordsOf(solution)])),
    `  signed by key ${signers.map(shortKey).join(', ')}`,
  ];
}

/** Formats two cells of a table. */
function wordsOf({ sequence, newest }: Pick<Shown['solutions'][number], 'sequence' | 'newest'>): [string, string] {
  return [
    sequence === undefined ? 'no sequence' : `sequence ${sequence}`,
    newest === undefined ? 'no date' : `newest ${date(newest)}`,
  ];
}

function date(seconds: number): string {
  return new Date(1000 * seconds).toISOString().replace('.000Z', 'Z');
}
