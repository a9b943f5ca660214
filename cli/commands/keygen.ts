import { Command, Option } from 'commander';
import type { SignatureAlgorithm } from '../../lib/trust/index.ts';
import { type Io, plain } from '../io.ts';
import { present } from '../output.ts';
import { absolute, type CommonOptions, sessionOf } from '../settings.ts';

interface Options extends CommonOptions {
  readonly output: string;
  readonly algorithm: SignatureAlgorithm;
}

/** `solpack keygen`. */
export function keygenCommand(io: Io): Command {
  return new Command('keygen')
    .summary('make a key pair to sign with')
    .description('Makes a key pair: NAME.key (PKCS#8 PEM, not encrypted, readable by you alone) and NAME.pub.')
    .requiredOption('-o, --output <name>', 'path of the two files, without .key and .pub')
    .addOption(
      new Option('--algorithm <name>', 'what kind of key')
        .choices(['ecdsa-p256-sha256', 'ed25519'])
        .default('ecdsa-p256-sha256'),
    )
    .addHelpText('after', '\nExamples:\n  $ solpack keygen -o release')
    .action(async (options: Options) => {
      const session = sessionOf(io, options);
      const { keygen } = await import('../../lib/sign/index.ts');
      const result = await keygen(absolute(io, options.output), options.algorithm);
      present(session, options, result, ({ privatePath, publicPath, keyId }) => [
        `made key ${keyId.slice(0, 16)}`,
        `  private  ${plain(privatePath)}  (not encrypted: keep it where only you can read it)`,
        `  public   ${plain(publicPath)}  (give it to those who verify)`,
      ]);
    });
}
