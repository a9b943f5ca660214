import type { Argument, Command, Help, Option } from 'commander';
import { OUTPUT } from '../option-groups.ts';
import { ACTIONS, type Note, notesOf, type Term } from './notes.ts';

/** A part of a page below a title. */
export type Section = { readonly title: string; readonly terms: readonly Term[] } | Note;

/** What the help of a command says, however it is set: on a terminal, in a man page, in `docs/`. */
export interface HelpPage {
  /** Such as `solpack pack`. */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly Section[];
}

/** Returns the page of a command. Line breaks in its texts mean nothing: they flow. */
export function pageOf(command: Command, help: Help): HelpPage {
  const own = help.visibleArguments(command).map((one) => ({ term: one.name(), text: argumentWords(one) }));
  const options = grouped(help.visibleOptions(command), (one) => one.helpGroupHeading ?? 'Options:');
  const commands = grouped(help.visibleCommands(command), (one) => one.helpGroup() || 'Commands:');
  const notes = notesOf(command);
  const sections = [
    ...(own.length > 0 ? [{ title: 'Arguments:', terms: own }] : []),
    ...notes.filter(({ title }) => title === ACTIONS),
    ...commands.map(([title, some]) => ({
      title,
      terms: some.map((one) => ({ term: one.name(), text: flowing(one.summary()) })),
    })),
    ...options.map(([title, some]) => ({
      title,
      terms: some.map((one) => ({ term: one.flags, text: optionWords(one) })),
    })),
    ...notes.filter(({ title }) => title !== ACTIONS),
  ];
  return {
    name: [command.parent?.name(), command.name()].filter(Boolean).join(' '),
    summary: flowing(command.summary()),
    usage: usageOf(command),
    description: flowing(command.description()),
    sections,
  };
}

/** Returns a text without its line breaks, which only keep the code readable. */
function flowing(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** The command with what it cannot do without. */
function usageOf(command: Command): string {
  const needed = command.options
    .filter(({ mandatory }) => mandatory)
    .map(({ flags, short, long }) => `${short ?? long} ${flags.slice(flags.lastIndexOf(' ') + 1)}`);
  const words = command.usage().replace('[options]', [...needed, '[options]'].join(' '));
  return [command.parent?.name(), command.name(), words].filter(Boolean).join(' ');
}

function argumentWords({ description, argChoices, defaultValue }: Argument): string {
  return withFacts(flowing(description), argChoices, defaultValue);
}

function optionWords({ description, argChoices, defaultValue, required, optional, mandatory }: Option): string {
  const shown = required || optional ? defaultValue : undefined;
  return withFacts(flowing(description), argChoices, shown, mandatory);
}

function withFacts(text: string, choices: readonly string[] | undefined, value: unknown, isNeeded = false): string {
  const facts = [
    ...(isNeeded ? ['required'] : []),
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(value === undefined ? [] : [`default: ${String(value)}`]),
  ];
  return facts.length === 0 ? text : `${text} (${facts.join('; ')})`;
}

/** Puts things into groups, which come in the order of what is first in each; that of the output comes last. */
function grouped<T>(things: readonly T[], groupOf: (thing: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const thing of things) groups.set(groupOf(thing), [...(groups.get(groupOf(thing)) ?? []), thing]);
  return [...groups].sort(([one], [other]) => Number(one === OUTPUT) - Number(other === OUTPUT));
}
