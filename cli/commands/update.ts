import { extname } from 'node:path';
import { Command } from 'commander';
import { updateDefinition } from '../../lib/index.ts';
import { apiVersionsOption, givenApiVersions } from '../api-versions.ts';
import { absolute, definitionPath, repeated, sourceDateEpoch, usage } from '../arguments.ts';
import { daemons } from '../daemons.ts';
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
import { updateView } from '../view/update.ts';

interface Options extends CommonOptions, RegistryFlags {
  readonly plan?: boolean;
  readonly only?: string[];
  readonly follow?: boolean;
  readonly latest?: boolean;
  readonly preReleases?: boolean;
  readonly lock?: string;
  readonly apiVersions?: string[];
}

/** Makes the command `solpack update`. */
export function updateCommand(io: Io): Command {
  const command = new Command('update')
    .summary('raise the versions of components and images')
    .description(
      'Looks for newer versions: of charts in their repository or registry, within the range of the definition; of ' +
        'bundles in their channel; of images by their tags. Writes solution.lock, and the definition if a version ' +
        'is written there, and prints what is different, as diff does. Nothing is written unless the Solution is ' +
        'closed afterwards ("solpack docs format").',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .option('--plan', 'print what would change, and write nothing')
    .option('--only <name>', 'look for newer versions of this component or image only; may be repeated', repeated)
    .option('--follow', 'look for nothing newer: let images and the lock follow a definition that was edited')
    .option('--latest', 'also leave ranges, channels and major versions')
    .option('--pre-releases', 'also take pre-releases of versions and tags that the definition names exactly')
    .option('--lock <file>', 'where the lock is, if not in solution.lock beside the definition')
    .addOption(apiVersionsOption())
    .addOption(plainHttpOption());
  return registryFlags(command, false)
    .addHelpText('after', help)
    .action(async (given: string, options: Options) => {
      const session = commandSession(io, options);
      if (['.iso', '.tar'].includes(extname(given))) {
        throw usage(
          given,
          'is an archive',
          'name a definition; "solpack install ARCHIVE" replaces an installed version',
        );
      }
      const definition = await definitionPath(io, given);
      const registries = registryConnections(io, options, session.flow);
      const { plan, only, follow, latest, preReleases, lock } = options;
      const [asked] = [only && '--only', latest && '--latest', preReleases && '--pre-releases'].filter(Boolean);
      if (follow && asked) throw usage('--follow', `contradicts ${asked}`, 'give one of them');
      const request = {
        definition,
        plan,
        only,
        follow,
        latest,
        preReleases,
        created: sourceDateEpoch(io),
        lockFile: lock === undefined ? undefined : absolute(io, lock),
        apiVersions: givenApiVersions(options.apiVersions),
        daemons: daemons(io),
        connect: registries.connect,
        sources: registries.sources,
      };
      const result = await updateDefinition(request, session.flow).finally(registries.close);
      printResult(session, options, 'update', result, updateView);
    });
}

const help = `
Environment:
  SOURCE_DATE_EPOCH   seconds since 1970 for every date in the archive (default: solution.lock's, or 1980-01-01)
${registryEnvironment}

Examples:
  $ solpack update
  $ solpack update ./guestbook --plan --json
  $ solpack update --only web --latest`;
