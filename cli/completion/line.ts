import type { Command, Option } from 'commander';
import type { Io } from '../io.ts';

/** A command line as far as it is typed. */
export interface TypedLine {
  /** What stands before the word that is typed, without flags and their values. */
  readonly given: readonly string[];
  /** The values of flags that are given, by the name that commander has for the flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The flag before the word, where that takes a value; whether it has to. */
  readonly pending: Option | undefined;
  /** Whether `--` stands before the word, behind which nothing is a flag. */
  readonly onlyArguments: boolean;
}

/** Where in a line a word is typed, and what of it. */
export interface Typing {
  readonly io: Io;
  readonly command: string;
  readonly line: TypedLine;
  readonly word: string;
}

/** Reads the words before the one that is typed as `command` would, whatever is wrong with them. */
export function readLine(command: Command, words: readonly string[]): TypedLine {
  const given: string[] = [];
  const values = new Map<string, string[]>();
  let pending: Option | undefined;
  let onlyArguments = false;
  const note = (option: Option, value: string): void => {
    values.set(option.attributeName(), [...(values.get(option.attributeName()) ?? []), value]);
  };
  for (const word of words) {
    if (pending !== undefined && (pending.required || !word.startsWith('-'))) {
      note(pending, word);
      pending = undefined;
      continue;
    }
    pending = undefined;
    if (onlyArguments || !/^-./.test(word)) given.push(word);
    else if (word === '--') onlyArguments = true;
    else {
      for (const { flag, value } of flagsIn(command, word)) {
        const option = flagOf(command, flag);
        if (option && value === undefined && takesValue(option)) pending = option;
        else if (option) note(option, value ?? '');
      }
    }
  }
  return { given, values, pending, onlyArguments };
}

/**
 * The flags that one word is: `--flag`, `--flag=value`, or letters behind one `-`, of which one may have the rest for
 * its value.
 */
function flagsIn(command: Command, word: string): { readonly flag: string; readonly value?: string }[] {
  const at = word.indexOf('=');
  if (word.startsWith('--'))
    return at < 0 ? [{ flag: word }] : [{ flag: word.slice(0, at), value: word.slice(at + 1) }];
  const letters = [...word.slice(1)];
  const last = letters.findIndex((letter) => takesValue(flagOf(command, `-${letter}`)));
  if (last < 0) return letters.map((letter) => ({ flag: `-${letter}` }));
  const rest = letters.slice(last + 1).join('');
  const flags = letters.slice(0, last + 1).map((letter) => ({ flag: `-${letter}` }));
  return rest === '' ? flags : [...flags.slice(0, -1), { flag: `-${letters[last]}`, value: rest }];
}

/** Finds the flag of a command that is written so; undefined where it has none. */
export function flagOf(command: Command, flag: string): Option | undefined {
  return command.options.find(({ short, long }) => flag === short || flag === long);
}

function takesValue(option: Option | undefined): boolean {
  return option !== undefined && (option.required || option.optional);
}
