import { Command } from 'commander';
import { type Io, plain } from '../io.ts';
import { present } from '../output.ts';
import { absolute, type CommonOptions, sessionOf } from '../settings.ts';

interface Options extends CommonOptions {
  readonly key: string;
  readonly output?: string;
}

/** `solpack sign`. */
export function signCommand(io: Io): Command {
  return new Command('sign')
    .summary('sign an archive')
    .description('Signs the root of an archive, in a slot that it keeps for that: no other byte changes.')
    .argument('<archive>', 'an archive (.iso or .tar)')
    .requiredOption('--key <key>', 'private key (PEM)')
    .option('-o, --output <bundle>', 'write the Sigstore bundle to this file, and leave the archive alone')
    .addHelpText(
      'after',
      '\nEnvironment:\n  SOLPACK_PASSPHRASE  passphrase of the private key, if it is encrypted\n\nExamples:\n  $ solpack sign guestbook-1.1.0.iso --key release.key',
    )
    .action(async (archive: string, options: Options) => {
      const session = sessionOf(io, options);
      const { loadPrivateKey } = await import('../../lib/trust/index.ts');
      const { signArchive } = await import('../../lib/sign/index.ts');
      const request = {
        archive: absolute(io, archive),
        key: await loadPrivateKey(absolute(io, options.key), io.env['SOLPACK_PASSPHRASE']),
        output: options.output === undefined ? undefined : absolute(io, options.output),
      };
      const result = await signArchive(request, session.flow);
      const where = request.output ?? `slot ${result.slot} of ${archive}`;
      present(
        session,
        options,
        { ...result, ...(request.output ? { output: request.output } : {}) },
        ({ root, keyId }) => [`signed ${root}`, `  by key ${keyId.slice(0, 16)}, in ${plain(where)}`],
      );
    });
}
