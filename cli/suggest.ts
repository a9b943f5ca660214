import type { Argument, Command, Option } from 'commander';
import { meantWord } from '../lib/command.ts';
import type { SolpackError } from '../lib/index.ts';
import { usage } from './arguments.ts';

/** A flag or an argument was given a word that is none of those it takes. */
export class ChoiceError extends Error {
  readonly #name: string;
  readonly #word: string;
  readonly #choices: readonly string[];

  constructor(name: string, word: string, choices: readonly string[]) {
    super(`${name} takes one of ${choices.join(', ')}`);
    this.#name = name;
    this.#word = word;
    this.#choices = choices;
  }

  /** Returns the error for the user, which says the word that was probably meant. */
  async asSolpackError(): Promise<SolpackError> {
    const meant = await meantWord(this.#word, this.#choices);
    const hint = meant === undefined ? 'write one of them' : `did you mean ${meant}?`;
    return usage(this.#name, `${JSON.stringify(this.#word)} is none of ${this.#choices.join(', ')}`, hint);
  }
}

/** Has each flag and argument of a command that takes one of some words refuse others with a `ChoiceError`. */
export function suggestChoices(command: Command): void {
  for (const option of command.options) takeChoice(option, option.long ?? option.flags);
  for (const argument of command.registeredArguments) takeChoice(argument, argument.name());
}

function takeChoice(one: Option | Argument, name: string): void {
  const choices = one.argChoices;
  if (choices === undefined) return;
  one.argParser((word: string) => {
    if (choices.includes(word)) return word;
    throw new ChoiceError(name, word, choices);
  });
}
