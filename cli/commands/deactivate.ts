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
}

/** Makes the command `solpack deactivate`. */
export function deactivateCommand(io: Io): Command {
  const command = new Command('deactivate')
    .summary('say that no version of a Solution is to be active')
    .description(
      'Says in a SolutionsConfiguration that no version of a Solution is to be active, and changes nothing else in it. The\n' +
        'next install into a cluster removes it there.',
    )
    .argument('<name>', 'the Solution')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', `\nExamples:\n  $ solpack deactivate guestbook -f solutions.yaml`)
    .action(async (name: string, options: Options) => {
      const session = commandSession(io, options);
      const request = { configuration: absolute(io, options.configuration), name };
      const result = await withMedia(io, options, session.flow, (media) =>
        deactivateSolution({ ...request, media }, session.flow),
      );
      printResult(session, options, 'deactivate', result, deactivateView);
    });
}
