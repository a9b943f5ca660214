import { Command } from 'commander';
import { sizeWords } from '../../lib/command.ts';
import { extract } from '../../lib/index.ts';
import { absolute, repeated } from '../arguments.ts';
import { count, type Io, plain } from '../io.ts';
import { printResult } from '../output.ts';
import { basePlaces, caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';

interface Options extends CommonOptions, SolutionOptions {
  readonly directory: string;
  readonly base?: readonly string[];
}

/** Makes the command `solpack extract`. */
export function extractCommand(io: Io): Command {
  const command = new Command('extract')
    .summary('write files of an archive, ISO 9660 or tar file to a folder')
    .description(
      'Writes files of an archive, an ISO 9660 image or a tar file below a folder, and nothing outside of it.',
    )
    .argument(
      '<image>',
      'an archive, an ISO 9660 image or a tar file: a file, a device, a folder, http:// or https://; or HOST/REPOSITORY:TAG',
    )
    .argument('[paths...]', 'files or folders in it (default: everything)')
    .option('-C, --directory <dir>', 'the folder to write to', '.')
    .option(
      '--base <archive>',
      'an archive that has what a delta lacks, which is written too; may be repeated',
      repeated,
    )
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText(
      'after',
      `\nEnvironment:\n${registryEnvironment}\n\nExamples:\n  $ solpack extract guestbook-1.1.0.iso -C /tmp/guestbook\n  $ solpack extract guestbook-1.1.0.iso manifest.yaml components/web\n  $ solpack extract guestbook-1.1.0.delta.iso --base guestbook-1.0.0.iso -C /tmp/guestbook`,
    )
    .action(async (image: string, paths: string[], options: Options) => {
      const session = commandSession(io, options);
      const folder = absolute(io, options.directory);
      const { at, close } = await solutionPlace(session, image, options);
      const bases = await basePlaces(io, options.base);
      const result = await extract({ archive: at, paths, folder, bases }, session.flow).finally(close);
      printResult(session, options, 'extract', { folder, ...result }, () => [
        `extracted ${count(result.files, 'file')}, ${sizeWords(result.bytes)}, to ${plain(folder)}`,
      ]);
    });
}
