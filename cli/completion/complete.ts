import type { Command, Option } from 'commander';
import { everyDayOptions } from '../help/every-day.ts';
import type { Io } from '../io.ts';
import { type Completion, type Completions, candidates } from './answer.ts';
import { flagOf, readLine, type TypedLine, type Typing } from './line.ts';
import { argumentAt, argumentValues, flagValues } from './values.ts';

/** What "solpack help" reports besides commands. */
const topics: readonly Completion[] = [{ word: 'options', about: 'what many commands take' }];

/** The help of a command, whole. */
const wholeHelp = { flag: '--help=', word: 'all', about: 'print everything' } as const;

/**
 * Finds what can stand in a command line where a user presses Tab. `words` are those behind `solpack`, without quotes;
 * the last one is what is typed, and may be empty.
 */
export async function completionsAt(program: Command, words: readonly string[], io: Io): Promise<Completions> {
  const before = words.slice(0, -1);
  const word = words.at(-1) ?? '';
  const at = before.findIndex((one) => !one.startsWith('-'));
  const command = program.commands.find((one) => one.name() === before[at]);
  // The argument of `help` is a command.
  const isAsked =
    command?.name() === 'help' && before.slice(at + 1).every((one) => one.startsWith('-')) && !word.startsWith('-');
  const found =
    command && !isAsked
      ? await inCommand(command, before.slice(at + 1), word, io)
      : candidates(isAsked ? [...commandsOf(program), ...topics] : atFirst(program, at >= 0, word));
  const fits = found.candidates.filter((one) => `${found.prefix}${one.word}`.startsWith(word));
  return { ...found, candidates: fits };
}

function atFirst(program: Command, isUnknown: boolean, word: string): Completion[] {
  if (isUnknown) return [];
  return word.startsWith('-') ? flagsOf(program, new Map()) : commandsOf(program);
}

async function inCommand(command: Command, before: readonly string[], word: string, io: Io): Promise<Completions> {
  const line = readLine(command, before);
  const typing: Typing = { io, command: command.name(), line, word };
  const { pending } = line;
  if (pending?.required) return flagValues(pending, typing);
  if (!line.onlyArguments && word.startsWith('-')) return flagOrValue(command, typing);
  const argument = argumentAt(command, line.given.length);
  const here = argument ? await argumentValues(argument, typing) : candidates([]);
  if (pending === undefined) return here;
  // What follows a flag that may have a value is one, or else an argument.
  const values = await flagValues(pending, typing);
  return { ...here, candidates: [...values.candidates, ...here.candidates] };
}

/** A flag, or the value behind `--flag=`. */
async function flagOrValue(command: Command, typing: Typing): Promise<Completions> {
  const { word, line } = typing;
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  if (at < 0) return candidates([...flagsOf(command, line.values), ...wholeOf(command)]);
  if (word.startsWith(wholeHelp.flag))
    return candidates([{ word: wholeHelp.word, about: wholeHelp.about }], wholeHelp.flag);
  const option = flagOf(command, word.slice(0, at));
  if (option === undefined || !(option.required || option.optional)) return candidates([]);
  const prefix = word.slice(0, at + 1);
  const answer = await flagValues(option, { ...typing, word: word.slice(at + 1) });
  return { ...answer, prefix: `${prefix}${answer.prefix}` };
}

function commandsOf(program: Command): Completion[] {
  return program.commands.map((one) => ({ word: one.name(), about: one.summary() }));
}

/** The flags that can be given, or given once more; each in its long form. */
function flagsOf(command: Command, given: TypedLine['values']): Completion[] {
  const help = command.createHelp().visibleOptions(command);
  const again = (option: Option): boolean => option.parseArg !== undefined && option.argChoices === undefined;
  return help
    .filter((option) => !given.has(option.attributeName()) || again(option))
    .map(({ long, short, description }) => ({ word: long ?? short ?? '', about: firstOf(description) }));
}

/** What prints all of the help of a command, if less is printed else. */
function wholeOf(command: Command): Completion[] {
  const { flag, word, about } = wholeHelp;
  return everyDayOptions(command.name()) === undefined ? [] : [{ word: `${flag}${word}`, about }];
}

/** The first words of a text, as a list of candidates has room for. */
function firstOf(text: string): string {
  return text.split(/[;:(\n]/)[0]!.trim();
}
