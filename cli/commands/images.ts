import { Command } from 'commander';
import { definitionPath } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { imagesView } from '../view/definition.ts';

interface Options extends CommonOptions {
  readonly write?: boolean;
}

/** Makes the command `solpack images`. */
export function imagesCommand(io: Io): Command {
  return new Command('images')
    .summary('list the images that the objects of a definition name')
    .description(
      'Renders the components of a definition as pack does, and lists the images that their objects name: whether they\n' +
        'are held, how sure it is that they are images, and where they stand (docs/images.md). It opens no image.',
    )
    .argument('[definition]', 'solution.toml, or the folder that holds it', '.')
    .option('--write', 'add those that are missing to the definition, which stays as it is otherwise')
    .addHelpText('after', help)
    .action(async (given: string, options: Options) => {
      const session = commandSession(io, options);
      const request = { definition: await definitionPath(io, given), write: options.write === true };
      const { listImages } = await import('../../lib/pack/index.ts');
      printResult(session, options, 'images', await listImages(request, session.flow), imagesView);
    });
}

const help = `
Examples:
  $ solpack images
  $ solpack images ./guestbook --write`;
