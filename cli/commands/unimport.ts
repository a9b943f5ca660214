import { Command } from 'commander';
import { unimportArchives } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { namedArchives, withMedia } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { plainHttpOption, type RegistryFlags, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { unimportView } from '../view/configure.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly configuration: string;
}

/** Makes the command `solpack unimport`. */
export function unimportCommand(io: Io): Command {
  const command = new Command('unimport')
    .summary('remove archives from a SolutionsConfiguration')
    .description(
      'Removes archives from a SolutionsConfiguration, whether or not their files still exist, and changes ' +
        'nothing else in it. An archive whose version is active is refused. The files stay, and so does what is ' +
        'installed.',
    )
    .argument('<archives...>', 'archives, as paths or as the configuration writes them')
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', `\nExamples:\n  $ solpack unimport guestbook-1.0.0.iso -f solutions.yaml`)
    .action(async (archives: string[], options: Options) => {
      const session = commandSession(io, options);
      const request = {
        configuration: absolute(io, options.configuration),
        archives: await namedArchives(io, archives),
      };
      const result = await withMedia(io, options, session.flow, (media) =>
        unimportArchives({ ...request, media }, session.flow),
      );
      printResult(session, options, 'unimport', result, unimportView);
    });
}
