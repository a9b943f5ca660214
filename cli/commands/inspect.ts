import { Command } from 'commander';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import { absolute, type CommonOptions, sessionOf } from '../settings.ts';
import { inspected } from '../view/human.ts';

/** `solpack inspect`. */
export function inspectCommand(io: Io): Command {
  return new Command('inspect')
    .summary('tell what is in an archive')
    .description('Tells name, version, components, images and signatures of an archive, without reading its payload.')
    .argument('<archive>', 'an archive (.iso or .tar)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ solpack inspect guestbook-1.1.0.iso\n  $ solpack inspect guestbook-1.1.0.iso --json | jq .images',
    )
    .action(async (archive: string, options: CommonOptions) => {
      const session = sessionOf(io, options);
      const { inspect } = await import('../../lib/inspect/index.ts');
      present(session, options, await inspect(absolute(io, archive), session.flow), inspected);
    });
}
