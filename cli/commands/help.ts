import { Command } from 'commander';
import { meantWord } from '../../lib/command.ts';
import { usage } from '../arguments.ts';
import { foreignCommand } from '../habits.ts';
import { pageOf } from '../help/page.ts';
import { sharedOptionsText } from '../help/shared.ts';
import { helpText } from '../help/text.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

/** What is asked for to read of the options that many commands take. */
const OPTIONS = 'options';

/** Makes the command `solpack help`. */
export function helpCommand(io: Io): Command {
  const command = new Command('help');
  return command
    .summary('print the help of a command, or this list')
    .description('Prints what "solpack --help" prints, or the help of a command.')
    .argument('[command]', 'the command; "options" describes those that many commands take')
    .option('--all', 'print everything, including what is rarely needed, as --help=all does')
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: HelpOptions) => {
      const program = command.parent!;
      const text =
        name === OPTIONS
          ? sharedOptionsText(program, io.stdout.columns)
          : await textOf(name, program, options.all ? io.stdout.columns : undefined);
      const result = { ...(name === undefined ? {} : { command: name }), text };
      printResult(commandSession(io, options), options, 'help', result, () => text.trimEnd().split('\n'));
    });
}

interface HelpOptions extends CommonOptions {
  readonly all?: true;
}

/** Returns what a command says about itself: what every day needs, or all of it for a terminal of so many columns. */
async function textOf(name: string | undefined, program: Command, columns: number | undefined): Promise<string> {
  const about = name === undefined ? program : program.commands.find((one) => one.name() === name);
  if (about === undefined) throw await unknown(name!, program);
  if (columns === undefined || about === program) return about.helpInformation();
  return helpText(pageOf(about, about.createHelp()), columns);
}

async function unknown(name: string, { commands }: Command): Promise<Error> {
  const foreign = foreignCommand(name);
  if (foreign !== undefined) return usage(name, 'is no command', foreign);
  const meant = await meantWord(
    name,
    commands.map((one) => one.name()),
  );
  return usage(name, 'is not a command', meant === undefined ? '"solpack help" lists them' : `did you mean ${meant}?`);
}

const help = `
Examples:
  $ solpack help
  $ solpack help install
  $ solpack help --all install
  $ solpack help options`;
