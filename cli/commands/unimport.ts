import { Command } from 'commander';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { namedArchives } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { unimportView } from '../view/configure.ts';

interface Options extends CommonOptions {
  readonly configuration: string;
}

/** Makes the command `solpack unimport`. */
export function unimportCommand(io: Io): Command {
  return new Command('unimport')
    .summary('list archives in a SolutionsConfiguration no longer')
    .description(
      'Removes archives from a SolutionsConfiguration, whether their files are still there or not, and changes nothing else\n' +
        'in it. An archive whose version is active is refused. The files stay, and so does what is installed.',
    )
    .argument('<archives...>', 'archives, as paths or as the configuration writes them')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .addHelpText('after', `\nExamples:\n  $ solpack unimport guestbook-1.0.0.iso -f solutions.yaml`)
    .action(async (archives: string[], options: Options) => {
      const session = commandSession(io, options);
      const { unimportArchives } = await import('../../lib/configure/index.ts');
      const request = {
        configuration: absolute(io, options.configuration),
        archives: await namedArchives(io, archives),
      };
      printResult(session, options, 'unimport', await unimportArchives(request, session.flow), unimportView);
    });
}
