import { Argument, Command } from 'commander';
import { completionScripts } from '../completion/scripts.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

/** Makes the command `solpack completion`. */
export function completionCommand(io: Io): Command {
  return new Command('completion')
    .summary('print a script for a shell that completes command lines')
    .description(
      'Prints a script for a shell. A shell that reads it completes commands, flags and their values, files, ' +
        'and names inside of archives and configurations when Tab is pressed. Completion asks neither a network ' +
        'nor a cluster.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', help)
    .action((shell: keyof typeof completionScripts, options: CommonOptions) => {
      const script = completionScripts[shell].trimEnd();
      printResult(commandSession(io, options), options, 'completion', { shell, script }, () => [script]);
    });
}

const help = `
In every new shell: the first example as a line of ~/.bashrc, the second of ~/.zshrc behind compinit, the third as a file.

Examples:
  $ source <(solpack completion bash)
  $ source <(solpack completion zsh)
  $ solpack completion fish > ~/.config/fish/completions/solpack.fish`;
