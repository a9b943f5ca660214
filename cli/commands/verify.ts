import { Command } from 'commander';
import { exits, redact } from '../../lib/errors.ts';
import type { Io } from '../io.ts';
import { present } from '../output.ts';
import { archivePlace, caFileOption, type PlaceOptions } from '../place.ts';
import { type CommonOptions, publicKeys, repeated, sessionOf } from '../settings.ts';
import { verified } from '../view/human.ts';

interface Options extends CommonOptions, PlaceOptions {
  readonly key?: string[];
}

/** `solpack verify`. */
export function verifyCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('verify')
    .summary('check every byte of an archive, and who signed it')
    .description(
      'Hashes every blob of an archive, makes every other byte anew from its root and compares, and checks the signature.\n' +
        'Ends with 0 where all is well, 1 where something is not as it should be, 3 where no given key has signed it.',
    )
    .argument('<archive>', 'an archive (.iso or .tar), here or at http:// or https://')
    .option('--key <pub>', 'a public key (PEM); may be repeated: one of them has to have signed', repeated)
    .addOption(caFileOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ solpack verify guestbook-1.1.0.iso --key release.pub\n  $ solpack verify guestbook-1.1.0.iso --json',
    )
    .action(async (archive: string, options: Options) => {
      const session = sessionOf(io, options);
      const { verify } = await import('../../lib/verify/index.ts');
      const request = {
        archive: await archivePlace(io, archive, options),
        keys: await publicKeys(io, options.key ?? []),
      };
      const result = await verify(request, session.flow);
      present(session, options, result, (value, style) => verified(value, redact(archive), style));
      exit(result.ok ? exits.ok : result.trusted === false ? exits.untrusted : exits.findings);
    });
}
