import { Command, Option } from 'commander';
import { importArchives } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import type { Io } from '../io.ts';
import { namedArchives, withMedia } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { plainHttpOption, type RegistryFlags, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { importView } from '../view/configure.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly configuration: string;
  readonly form: 'grouped' | 'flat';
}

/** Makes the command `solpack import`. */
export function importCommand(io: Io): Command {
  const command = new Command('import')
    .summary('list archives in a SolutionsConfiguration')
    .description(
      'Lists archives in a SolutionsConfiguration, in the form that the file has, and changes nothing else in ' +
        'it. A folder or a pattern in quotes is one entry. Each archive is opened first; if one cannot be used, ' +
        'none is listed. If the file does not exist, it is made. Nothing is installed.',
    )
    .argument(
      '<archives...>',
      'archives: files, devices, folders, patterns, http:// or https://, and HOST/REPOSITORY:TAG',
    )
    .requiredOption('-f, --configuration <file>', 'the SolutionsConfiguration')
    .addOption(
      new Option('--form <form>', 'the form of a new file: by Solutions, or as MetalK8s ships it')
        .choices(['grouped', 'flat'])
        .default('grouped'),
    )
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText(
      'after',
      `\nExamples:\n  $ solpack import guestbook-1.0.0.iso guestbook-1.1.0.iso -f solutions.yaml\n  $ solpack import /srv/archives/*.iso -f /etc/metalk8s/solutions.yaml --form flat`,
    )
    .action(async (archives: string[], options: Options, command: Command) => {
      const session = commandSession(io, options);
      const request = {
        configuration: absolute(io, options.configuration),
        archives: await namedArchives(io, archives),
        form: options.form,
        // A path that somebody types may be mistyped; the one of the profile is meant.
        makesFolder: command.getOptionValueSource('configuration') === 'config',
      };
      const result = await withMedia(io, options, session.flow, (media) =>
        importArchives({ ...request, media }, session.flow),
      );
      printResult(session, options, 'import', result, importView);
    });
}
