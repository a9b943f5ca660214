import { Command } from 'commander';
import { listImages } from '../../lib/index.ts';
import { apiVersionsOption, givenApiVersions } from '../api-versions.ts';
import { definitionPath } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { imagesView } from '../view/definition.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly write?: boolean;
  readonly prune?: boolean;
  readonly apiVersions?: string[];
}

/** Makes the command `solpack images`. */
export function imagesCommand(io: Io): Command {
  const command = new Command('images')
    .summary('list the images that the objects of a definition name')
    .description(
      'Renders the components of a definition as pack does, and lists the images that their objects name: ' +
        'whether the archive holds them, how sure it is that they are images, and which field names them ' +
        '("solpack docs images"). Then it lists images of the definition that no component names. It opens no image.',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .option('--write', 'add missing images to the definition, and change nothing else in it')
    .option('--prune', 'remove images that no component names from the definition; keep = true of an image keeps it')
    .addOption(apiVersionsOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (given: string, options: Options) => {
      const session = commandSession(io, options);
      const definition = await definitionPath(io, given);
      const registries = registryConnections(io, options, session.flow);
      const { write = false, prune = false } = options;
      const apiVersions = givenApiVersions(options.apiVersions);
      const request = { definition, write, prune, apiVersions, sources: registries.sources };
      const result = await listImages(request, session.flow).finally(registries.close);
      printResult(session, options, 'images', result, imagesView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack images
  $ solpack images ./guestbook --write --prune`;
