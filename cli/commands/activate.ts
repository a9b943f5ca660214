import { Command } from 'commander';
import { activateSolution } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { withMedia } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { plainHttpOption, type RegistryFlags, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { activateView } from '../view/configure.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly configuration: string;
  readonly environment?: string;
}

/** Makes the command `solpack activate`. */
export function activateCommand(io: Io): Command {
  const command = new Command('activate')
    .summary('set which version of a Solution is active')
    .description(
      'Writes into a SolutionsConfiguration which version of a Solution is active, and changes nothing else in ' +
        'it. The configuration has to list an archive of that version. With --environment, sets the version that ' +
        'runs in that namespace. Prints a notice if the version is lower than the previous one. "solpack install" ' +
        'installs it.',
    )
    .argument('<name>', 'the Solution')
    .argument('[version]', 'a version, a range such as "^1.2", ">=1.2 <2" or 1.x, or latest', 'latest')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .option('--environment <namespace>', 'the namespace that the version runs in')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText(
      'after',
      `\nExamples:\n  $ solpack activate guestbook -f solutions.yaml\n  $ solpack activate guestbook "^1.2" -f solutions.yaml\n  $ solpack activate guestbook 1.0.0 --environment team-a -f solutions.yaml`,
    )
    .action(async (name: string, wanted: string, options: Options) => {
      const session = commandSession(io, options);
      const { environment } = options;
      const request = { configuration: absolute(io, options.configuration), name, wanted, environment };
      const result = await withMedia(io, options, session.flow, (media) =>
        activateSolution({ ...request, media }, session.flow),
      );
      printResult(session, options, 'activate', result, activateView);
    });
}
