import { removalWords, sizeWords } from '../../lib/command.ts';
import type { InstallPlan, PlannedAction, PlannedChange } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { outsideLines } from './relations.ts';
import { rightsLines } from './rights.ts';
import type { Style } from './style.ts';
import { valuePair } from './value-pair.ts';
import { variableLines } from './variables.ts';

/** How wide lines are where what they name allows that. */
const WIDTH = 80;
/** How many contents of a kind are named each, before they are counted. */
const NAMED = 3;

/** Describes what an install would do, for a person. */
export function installPlanView(plan: InstallPlan, style: Style): string[] {
  const { configuration, choices, steps, room } = plan;
  return [
    `plan for ${style.bold(plain(configuration))}: nothing was changed`,
    ...choices.flatMap(({ name, version, reason, passedOver, outside }) => [
      `${style.good('chosen')} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
      `    ${plain(reason)}`,
      ...outsideLines(outside).map((line) => `    ${line}`),
      ...(passedOver.length > 0 ? [`    passed over: ${passedOver.map(plain).join(', ')}`] : []),
    ]),
    ...(plan.variables === undefined ? [] : ['plugins get', ...variableLines(plan.variables)]),
    ...[...Map.groupBy(steps, ({ kind }) => kind)].flatMap(([kind, own]) => sectionOf(kind, own, style)),
    ...room.map(({ place, needed, free }) => {
      const there = free === undefined ? 'the free space is unknown' : `${sizeWords(free)} free`;
      const isShort = free !== undefined && free < needed;
      return `${style.bold('room')} ${plain(place)}: ${sizeWords(needed)} needed, ${isShort ? style.bad(there) : there}`;
    }),
    ...(plan.rights === undefined ? [] : rightsLines(plan.rights, style)),
    ...(plan.removals ?? []).map((one) => style.bad(plain(removalWords(one, true)))),
    ...wrapped(planSums(plan)).map((line) => style.bold(line)),
  ];
}

/** Describes what the steps of a kind do; nothing where they change nothing. */
function sectionOf(kind: string, steps: readonly PlannedAction[], style: Style): string[] {
  const own = steps.filter(({ action }) => action !== 'none');
  if (own.length === 0) return [];
  const sent = own.filter(({ action }) => action === 'send');
  const rest = own.filter(({ action }) => action !== 'send');
  const total = sent.reduce((sum, { bytes: size = 0 }) => sum + size, 0);
  return [
    style.bold(plain(kind)),
    ...(sent.length > NAMED
      ? [`  ${style.good('+')} ${count(sent.length, 'content')}, ${sizeWords(total)}`]
      : sent.map(({ subject, bytes: size = 0 }) => `  ${style.good('+')} ${plain(subject)}  ${sizeWords(size)}`)),
    ...rest.flatMap((step) => stepLines(step, style)),
  ];
}

function stepLines(step: PlannedAction, style: Style): string[] {
  const { subject, action, changes, reason, event, restarts } = step;
  const notes = [
    ...(event === undefined ? [] : [`hook of ${event}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(restarts === undefined ? [] : [`restarts ${count(restarts, 'Pod')}`]),
  ].map(plain);
  const head = `  ${marks[action](style)} ${plain(subject)}`;
  const said = notes.join('; ');
  const isShort = subject.length + said.length + 8 <= WIDTH;
  return [
    ...(said === '' ? [head] : isShort ? [`${head}  ${said}`] : [head, `      ${said}`]),
    ...(action === 'create' ? [] : changes.flatMap(changeLines)),
  ];
}

const marks: Readonly<Record<PlannedAction['action'], (style: Style) => string>> = {
  create: (style) => style.good('+'),
  send: (style) => style.good('+'),
  tag: (style) => style.good('+'),
  remember: () => '~',
  change: () => '~',
  replace: (style) => style.bad('-/+'),
  remove: (style) => style.bad('-'),
  keep: (style) => style.dim('='),
  run: () => '>',
  none: () => ' ',
};

function changeLines({ path, ...values }: PlannedChange): string[] {
  const indent = '      ';
  if (!('from' in values) && !('to' in values)) return [`${indent}${plain(path)}`];
  const words = valuePair(values.from, values.to, MOST).join(' -> ');
  const line = `${indent}${plain(path)}: ${words}`;
  return line.length <= WIDTH ? [line] : [`${indent}${plain(path)}:`, `${indent}  ${words}`];
}

/** The most characters of a value that are shown; `--json` has all. */
const MOST = 30;

/** Counts what an install would do, as words between commas. */
export function planSums({ steps, bytes: sent, unchanged }: InstallPlan): string[] {
  const number = (action: PlannedAction['action']): number => steps.filter((step) => step.action === action).length;
  const pods = steps.reduce((sum, { restarts = 0 }) => sum + restarts, 0);
  const parts: [number, string][] = [
    [number('create'), 'to create'],
    [number('change'), 'to change'],
    [number('replace'), 'to replace'],
    [number('remove'), 'to remove'],
    [number('keep'), 'to keep'],
    [number('run'), number('run') === 1 ? 'hook to run' : 'hooks to run'],
    [number('tag'), number('tag') === 1 ? 'tag to set' : 'tags to set'],
  ];
  const named = [
    ...parts.filter(([many]) => many > 0).map(([many, words]) => `${many} ${words}`),
    ...(number('send') > 0 ? [`${sizeWords(sent)} to send`] : []),
    ...(pods > 0 ? [`${count(pods, 'Pod')} to restart`] : []),
  ];
  const all = [
    ...(named.length === 0 ? ['nothing to do'] : named),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
  ];
  return all.map((part, index) => (index < all.length - 1 ? `${part},` : part));
}

/** Puts words into lines that a terminal has room for. */
function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
