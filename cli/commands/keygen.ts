import { Command, Option } from 'commander';
import { shortKey } from '../../lib/command.ts';
import { keygen, type SignatureAlgorithm } from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { grouped, type Io, plain } from '../io.ts';
import { newPassphrase, passphraseFileOption } from '../keys.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

interface Options extends CommonOptions {
  readonly output: string;
  readonly type: keyof typeof types;
  readonly passphraseFile?: string;
}

const types = {
  'ecdsa-p256': 'ecdsa-p256-sha256',
  ed25519: 'ed25519',
} as const satisfies Record<string, SignatureAlgorithm>;

/** Makes the command `solpack keygen`. */
export function keygenCommand(io: Io): Command {
  return new Command('keygen')
    .summary('make a key pair for signing')
    .description(
      'Makes a key pair: NAME.key (PKCS#8 PEM, readable by you alone) and NAME.pub.\n' +
        'The private key is encrypted by a passphrase: from --passphrase-file, or from SOLPACK_PASSPHRASE, or asked for\n' +
        'on the terminal. An empty passphrase, or none where there is no terminal, leaves it unencrypted.',
    )
    .requiredOption('-o, --output <name>', 'path of the two files, without .key and .pub')
    .addOption(new Option('--type <type>', 'the kind of key').choices(Object.keys(types)).default('ecdsa-p256'))
    .addOption(passphraseFileOption())
    .addHelpText('after', help)
    .action(async (options: Options) => {
      const session = commandSession(io, options);
      if (options.output === '') throw usage('--output', 'is empty', 'name the files: --output release');
      const result = await keygen(absolute(io, options.output), types[options.type], (path) =>
        newPassphrase(io, options, path),
      );
      if (!result.encrypted) {
        const message = 'is not encrypted: whoever can read it can sign; set SOLPACK_PASSPHRASE to encrypt one';
        session.flow.onEvent({ type: 'notice', subject: result.privatePath, message });
      }
      printResult(session, options, 'keygen', result, ({ privatePath, publicPath, keyId, encrypted }) => [
        `made key ${shortKey(keyId)}`,
        `  fingerprint  ${grouped(keyId)}`,
        `  private      ${plain(privatePath)}  (${encrypted ? 'encrypted' : 'not encrypted'}: keep it where only you can read it)`,
        `  public       ${plain(publicPath)}  (give it to those who verify)`,
      ]);
    });
}

const help = `
Environment:
  SOLPACK_PASSPHRASE  passphrase that encrypts the private key

Examples:
  $ solpack keygen -o release
  $ solpack keygen -o release --type ed25519 --passphrase-file /run/secrets/passphrase`;
