import { Command } from 'commander';
import { deactivateSolution } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { withMedia } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { plainHttpOption, type RegistryFlags, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { deactivateView } from '../view/configure.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly configuration: string;
  readonly environment?: string;
}

/** Makes the command `solpack deactivate`. */
export function deactivateCommand(io: Io): Command {
  const command = new Command('deactivate')
    .summary('say that no version of a Solution is to be active')
    .description(
      'Says in a SolutionsConfiguration that no version of a Solution is to be active, and changes nothing else in it. The\n' +
        'next install into a cluster removes it there. With --environment, it does so of that namespace alone.',
    )
    .argument('<name>', 'the Solution')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--environment <namespace>', 'the namespace that it is not to run in any longer')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText(
      'after',
      `\nExamples:\n  $ solpack deactivate guestbook -f solutions.yaml\n  $ solpack deactivate guestbook --environment team-a -f solutions.yaml`,
    )
    .action(async (name: string, options: Options) => {
      const session = commandSession(io, options);
      const { environment } = options;
      const request = { configuration: absolute(io, options.configuration), name, environment };
      const result = await withMedia(io, options, session.flow, (media) =>
        deactivateSolution({ ...request, media }, session.flow),
      );
      printResult(session, options, 'deactivate', result, deactivateView);
    });
}
