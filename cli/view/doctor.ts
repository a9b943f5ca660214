import { count, plain } from '../io.ts';
import type { JsonResults } from './json.ts';
import { type Style, table } from './style.ts';

type ShownCheck = JsonResults['doctor']['checks'][number];

/** Describes for a person what was checked: one line a check, and what mends it below. */
export function doctorView({ checks, for: purposes }: JsonResults['doctor'], style: Style): string[] {
  const rows = table(
    checks.map(({ state, code, subject, message }) => [state, code, `${plain(subject)}: ${plain(message)}`]),
  );
  const lines = checks.flatMap((check, at) => {
    const { state, hint } = check;
    const row = `${styled(state, style)}${rows[at]!.slice(state.length)}`;
    return hint === undefined ? [row] : [row, `${INDENT}${style.bold(plain(hint))}`];
  });
  return [`checked for ${purposes.join(' and ')}`, ...lines, summary(checks, style)];
}

/** What stands before the words that mend something. */
const INDENT = '         do: ';

function styled(state: ShownCheck['state'], style: Style): string {
  if (state === 'ok') return style.good(state);
  return state === 'fails' ? style.bad(state) : style.bold(state);
}

function summary(checks: readonly ShownCheck[], style: Style): string {
  const counted = (...states: readonly ShownCheck['state'][]): number =>
    checks.filter(({ state }) => states.includes(state)).length;
  const [failing, warning, unseen] = [counted('fails'), counted('warns'), counted('skipped', 'unknown')];
  const also = [
    ...(warning === 0 ? [] : [count(warning, 'warning')]),
    ...(unseen === 0 ? [] : [`${unseen} not looked at`]),
  ].map((words) => `, ${words}`);
  if (failing === 0) return style.good(`nothing fails${also.join('')}`);
  return style.bad(
    `${failing} of ${count(checks.length, 'check')} ${failing === 1 ? 'fails' : 'fail'}${also.join('')}`,
  );
}
