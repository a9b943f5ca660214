import { Command } from 'commander';
import { solutionReference } from '../../lib/command.ts';
import { push } from '../../lib/index.ts';
import { repeated } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { archivePlace, basePlaces, caFileOption, type PlaceOptions } from '../place.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryConnections,
  registryEnvironment,
  registryFlags,
  registryOptions,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { pushView } from '../view/push-pull.ts';

interface Options extends CommonOptions, PlaceOptions, RegistryFlags {
  readonly expand?: boolean;
  readonly base?: string[];
}

/** Makes the command `solpack push`. */
export function pushCommand(io: Io): Command {
  const command = new Command('push')
    .summary('push an archive to a registry')
    .description(
      "Pushes an archive to a repository of a registry as one artifact, whose digest is that of the archive's root: charts,\n" +
        'images and what refers to them, byte for byte. Signatures become referrers of the root. What the\n' +
        'registry has already is not sent again.',
    )
    .argument(
      '<archive>',
      'an archive: a file (.iso or .tar), a device, a folder where it is mounted or extracted, http:// or https://, or HOST/REPOSITORY:TAG of a registry',
    )
    .argument('<reference>', 'HOST/REPOSITORY[:TAG][@DIGEST]; the tag is the version where there is none')
    .option(
      '--base <archive>',
      'an archive that may have what both a delta and the registry lack; may be repeated',
      repeated,
    )
    .option('--expand', 'also name images and charts in their own repositories, below REPOSITORY')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (archive: string, reference: string, options: Options) => {
      const session = commandSession(io, options);
      const wanted = await solutionReference(reference);
      const registries = registryConnections(io, options, session.flow, wanted.registry);
      const request = {
        archive: await archivePlace(io, archive, options, registries.connect),
        bases: await basePlaces(io, options.base, registries.connect),
        reference: wanted,
        expand: options.expand === true,
        options: await registryOptions(io, options, session.flow, wanted.registry),
      };
      const result = await push(request, session.flow).finally(registries.close);
      printResult(session, options, 'push', result, pushView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack push guestbook-1.1.0.iso registry.example.com/solutions/guestbook
  $ solpack push guestbook-1.1.0.iso 127.0.0.1:5000/solutions/guestbook:stable --json
  $ solpack push guestbook-1.1.0.iso registry.example.com/solutions/guestbook --expand
  $ helm pull oci://registry.example.com/solutions/guestbook/charts/web --version 1.1.0
  $ oras discover registry.example.com/solutions/guestbook:1.1.0`;
