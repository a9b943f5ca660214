import { removalWords, sizeWords } from '../../lib/command.ts';
import type { InstallPlan } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { planSums } from './install-plan.ts';
import { type Style, table } from './style.ts';

/** How many things of a kind are named each, before they are counted. */
const NAMED = 5;

/** Describes for a person who has to agree to it what an install would do, in a few lines. */
export function installQuestionView(plan: InstallPlan, style: Style): string[] {
  const { configuration, solutions = [], steps, removals = [], lasted } = plan;
  const gone = steps.filter(({ action }) => action === 'remove' || action === 'replace');
  return [
    `${style.bold('install')} of the configuration ${plain(configuration)}`,
    ...table(
      solutions.map(({ name, version, installed, images, bytes: size }) => [
        `  ${style.bold(plain(name))}`,
        plain(versionWords(version, installed)),
        `${count(images, 'image')}, ${sizeWords(size)}`,
      ]),
    ),
    `  ${planSums(plan).join(' ')}`,
    ...few(gone, ({ action, subject }) => `  ${style.bad(action === 'remove' ? '-' : '-/+')} ${plain(subject)}`),
    ...few(powersOf(plan), (line) => `  ${style.bad('!')} ${plain(line)}`),
    ...removals.map((one) => `  ${style.bad(plain(removalWords(one, true)))}`),
    ...(lasted === undefined ? [] : [`  the last one took ${lasted} s`]),
    '  "solpack install --plan" lists all of it',
  ];
}

/** Whether an install would leave all as it is. */
export function isIdle({ steps, removals = [] }: InstallPlan): boolean {
  return removals.length === 0 && steps.every(({ action }) => action === 'none' || action === 'keep');
}

function versionWords(version: string, installed: string | undefined): string {
  if (installed === undefined) return `${version}, new`;
  return installed === version ? `${version}, as it is` : `${installed} -> ${version}`;
}

/** What accounts may do that reaches far. */
function powersOf({ rights }: InstallPlan): string[] {
  return (rights?.subjects ?? []).flatMap(({ subject, rights: own }) => {
    const powers = [...new Set(own.flatMap(({ power }) => power ?? []))];
    return powers.length === 0 ? [] : [`${subject}: ${powers.join('; ')}`];
  });
}

function few<T>(things: readonly T[], lineOf: (thing: T) => string): string[] {
  const shown = things.slice(0, NAMED).map(lineOf);
  return things.length > NAMED ? [...shown, `    and ${things.length - NAMED} more`] : shown;
}
