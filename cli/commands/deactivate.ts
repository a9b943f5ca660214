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
    .summary('make no version of a Solution active')
    .description(
      'Writes into a SolutionsConfiguration that no version of a Solution is active, and changes nothing else ' +
        'in it. The next install into a cluster removes the Solution there. With --environment, does so for that ' +
        'namespace alone.',
    )
    .argument('<name>', 'the Solution')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--environment <namespace>', 'the namespace in which it no longer runs')
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
