import { count, plain } from '../io.ts';
import type { JsonResults } from './json.ts';
import { type Style, table } from './style.ts';

type ShownCheck = JsonResults['doctor']['checks'][number];

/** Describes for a person what was checked: one line a check, and what fixes it below. */
export function doctorView({ checks, for: purposes }: JsonResults['doctor'], style: Style): string[] {
  const rows = table(
    checks.map(({ state, code, subject, message }) => [state, code, `${plain(subject)}: ${plain(message)}`]),
  );
  const lines = checks.flatMap((check, at) => {
    const { state, hint } = check;
    const row = `${styled(state, style)}${rows[at]!.slice(state.length)}`;
    return hint === undefined ? [row] : [row, mendRow(plain(hint), style)];
  });
  return [`checked for ${purposes.join(' and ')}`, ...lines, summary(checks, style)];
}

/** Programs that mend something. Whatever else is proposed, a person has to do. */
const programs: readonly string[] = [
  ...['solpack', 'systemctl', 'journalctl', 'kubeadm', 'kubectl', 'date', 'modprobe'],
  ...['mount', 'chmod', 'du', 'ss'],
];

/** Says what mends something: a command as it is typed, or what a person has to do by hand. */
function mendRow(hint: string, style: Style): string {
  const isCommand = programs.includes(hint.split(' ', 1)[0]!);
  return isCommand ? `         do: ${style.bold(hint)}` : `         by hand: ${hint}`;
}

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
