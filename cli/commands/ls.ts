import { Command } from 'commander';
import { list } from '../../lib/index.ts';
import type { Io } from '../io.ts';
import { jsonResult } from '../output.ts';
import { caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';
import { listLine } from '../view/archive.ts';

interface Options extends CommonOptions, SolutionOptions {
  readonly digests?: boolean;
}

/** Makes the command `solpack ls`. */
export function lsCommand(io: Io): Command {
  const command = new Command('ls')
    .summary('list the files of an archive, or of any ISO 9660 or tar file')
    .description('Lists the files of an archive, or of any ISO 9660 image or tar file. With --json, one object a line.')
    .argument(
      '<image>',
      'an archive, an ISO 9660 image or a tar file: a file, a device, a folder, http:// or https://; or HOST/REPOSITORY:TAG',
    )
    .argument('[path]', 'a file or folder in it (default: everything)')
    .option('--digests', 'hash every file with SHA-256')
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText(
      'after',
      `\nEnvironment:\n${registryEnvironment}\n\nExamples:\n  $ solpack ls guestbook-1.1.0.iso components\n  $ solpack ls any.iso --json --digests\n  $ solpack ls registry.example.com/solutions/guestbook:1.1.0 components`,
    )
    .action(async (image: string, path: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      const { at, close } = await solutionPlace(session, image, options);
      const request = { archive: at, path: path ?? '', digests: options.digests === true };
      try {
        for await (const entry of list(request, session.flow)) {
          session.progress.hide();
          io.stdout.write(options.json ? jsonResult('ls', entry) : `${listLine(entry)}\n`);
          await io.stdout.flush();
        }
        session.progress.end();
      } finally {
        await close();
      }
    });
}
