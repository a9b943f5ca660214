import { Command } from 'commander';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import { archivePlace, caFileOption, type PlaceOptions } from '../place.ts';
import { type CommonOptions, sessionOf } from '../settings.ts';
import { inspected } from '../view/human.ts';

/** `solpack inspect`. */
export function inspectCommand(io: Io): Command {
  return new Command('inspect')
    .summary('tell what is in an archive')
    .description(
      'Tells name, version, components, images and signatures of an archive, without reading its payload.\n' +
        'Of an archive on a server only these parts are fetched, by range requests.',
    )
    .argument('<archive>', 'an archive (.iso or .tar), here or at http:// or https://')
    .addOption(caFileOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ solpack inspect guestbook-1.1.0.iso\n  $ solpack inspect guestbook-1.1.0.iso --json | jq .images\n  $ solpack inspect https://releases.example.com/guestbook-1.1.0.iso',
    )
    .action(async (archive: string, options: CommonOptions & PlaceOptions) => {
      const session = sessionOf(io, options);
      const { inspect } = await import('../../lib/inspect/index.ts');
      present(session, options, await inspect(await archivePlace(io, archive, options), session.flow), inspected);
    });
}
