import { type Command, Option } from 'commander';

/** What was given by a name of before, by command. */
const given = new WeakMap<Command, Set<string>>();

/**
 * Lets a command take an option by the name that it had before, which no help shows. `now` is the long flag that the
 * option has; `renamedWords` reports it.
 */
export function formerName(command: Command, before: string, now: string): Command {
  const option = command.options.find(({ long }) => long === now)!;
  const value = option.flags.slice(option.flags.lastIndexOf(' ') + 1);
  const former = new Option(`${before} ${value}`).hideHelp();
  command.addOption(former);
  command.on(`option:${former.name()}`, (word: string) => {
    const name = option.attributeName();
    const isSet = command.getOptionValueSource(name) === 'cli';
    const earlier = isSet ? command.getOptionValue(name) : undefined;
    command.setOptionValueWithSource(name, option.parseArg ? option.parseArg(word, earlier) : word, 'cli');
    noteRenamed(command, before, now);
  });
  return command;
}

/** Notes that an option was given by a name of before. */
function noteRenamed(command: Command, before: string, now: string): void {
  given.set(command, (given.get(command) ?? new Set()).add(`${before} is now ${now}`));
}

/** Says of what a command was given by a name of before how that is called now. */
export function renamedWords(command: Command): string[] {
  return [...(given.get(command) ?? [])];
}
