import { Command } from 'commander';
import { merge } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
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
}

/** Makes the command `solpack merge`. */
export function mergeCommand(io: Io): Command {
  const command = new Command('merge')
    .summary('make the whole archive from a delta')
    .description(
      'Writes the whole archive of a release from its delta and from archives that have the rest: the same ' +
        'bytes that "solpack pack" made, signatures included. Contents are checked on the way. If it is ' +
        'interrupted, what it has written stays in FILE.partial, and the same command continues with it.',
    )
    .argument('<archives...>', 'archives that have what the delta lacks, followed by the delta')
    .requiredOption('-o, --output <file>', 'the archive to write; its name ends in .iso or .tar')
    .option('--no-sync', 'do not wait until the disk has the archive')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (archives: string[], options: Options) => {
      const session = commandSession(io, options);
      const { places, close } = await solutionPlaces(session, archives.toReversed(), options);
      const request = {
        archive: places[0]!,
        bases: places.slice(1),
        output: absolute(io, options.output),
        sync: options.sync,
      };
      printResult(session, options, 'merge', await merge(request, session.flow).finally(close), deltaView);
    });
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack merge guestbook-1.0.0.iso guestbook-1.1.0.delta.iso -o guestbook-1.1.0.iso
  $ solpack merge guestbook-1.0.0.iso guestbook-1.1.0.delta.iso guestbook-1.2.0.delta.iso -o guestbook-1.2.0.iso`;
