import { Command } from 'commander';
import { delta } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlaces } from '../solution.ts';
import { deltaView } from '../view/delta.ts';

interface Options extends CommonOptions, SolutionOptions {
  readonly output: string;
  readonly sync: boolean;
  readonly blobsOnly?: boolean;
}

/** Makes the command `solpack delta`. */
export function deltaCommand(io: Io): Command {
  const command = new Command('delta')
    .summary('write what is new in an archive, compared to older ones')
    .description(
      'Writes the archive of a release without the layers that older archives have. It has the root and the ' +
        'signatures of the release, so it is verified like that release. What it lacks comes from an older ' +
        'archive, or from anything else that has it. Contents are checked on the way. If it is interrupted, what ' +
        'it has written stays in FILE.partial, and the same command continues with it.',
    )
    .argument('<archives...>', 'older archives, and the new one last: files, folders, addresses, or references')
    .requiredOption('-o, --output <file>', 'the delta to write; its name ends in .iso or .tar')
    .option('--blobs-only', 'take layers that no older archive has whole, and do not make them of older layers')
    .option('--no-sync', 'do not wait until the disk has it')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (archives: string[], options: Options) => {
      const session = commandSession(io, options);
      const [archive, ...bases] = archives.toReversed();
      if (archive === undefined || bases.length === 0) {
        throw usage('delta', 'needs at least two archives', 'name older archives first, and the new one last');
      }
      const { places, close } = await solutionPlaces(session, [archive, ...bases], options);
      const request = {
        archive: places[0]!,
        bases: places.slice(1),
        output: absolute(io, options.output),
        sync: options.sync,
        blobsOnly: options.blobsOnly,
      };
      printResult(session, options, 'delta', await delta(request, session.flow).finally(close), deltaView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack delta guestbook-1.0.0.iso guestbook-1.1.0.iso -o guestbook-1.1.0.delta.iso
  $ solpack delta registry.example.com/solutions/guestbook:1.0.0 guestbook-1.1.0.iso -o guestbook-1.1.0.delta.tar`;
