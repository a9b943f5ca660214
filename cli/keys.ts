import { type Command, Option } from 'commander';
import { loadPrivateKey, loadPublicKey, readFile } from '../lib/command.ts';
import type { CommandSigner, PrivateKey, PublicKey } from '../lib/index.ts';
import { absolute, usage } from './arguments.ts';
import type { CommandSession } from './command-session.ts';
import { type Io, plain } from './io.ts';

/** How to open a private key, or what signs instead. */
export interface KeyOptions {
  readonly passphraseFile?: string;
  readonly signer?: string;
}

/** Makes the option `--passphrase-file`. */
export function passphraseFileOption(): Option {
  return new Option('--passphrase-file <file>', 'the first line of this file is the passphrase of the private key');
}

/** Makes the option `--signer`. */
export function signerOption(): Option {
  return new Option(
    '--signer <command>',
    'sign with this command (HSM, KMS, smart card) instead of a private key; the named key is the public half',
  );
}

/** The environment variable in the help of commands that open a private key. */
export const passphraseHelp = 'SOLPACK_PASSPHRASE  passphrase of the private key, if it is encrypted';

/** Which key signs: a private one, or that of a command. */
export interface SigningKeyOptions extends KeyOptions {
  readonly privateKey?: string;
  readonly key?: string;
}

/** Adds the options of `SigningKeyOptions`. */
export function signingKeyFlags(command: Command): Command {
  return command
    .option('--private-key <key>', 'sign with this private key (PEM)')
    .addOption(passphraseFileOption())
    .addOption(signerOption())
    .option('--key <pub>', 'with --signer: the public key (PEM) of the signer');
}

/** Returns the signer that `SigningKeyOptions` name. Throws `key-invalid`, `usage-invalid`. */
export async function namedSigner(
  { io, flow }: CommandSession,
  options: SigningKeyOptions,
): Promise<PrivateKey | CommandSigner> {
  const { privateKey, key, signer } = options;
  if (signer !== undefined) {
    if (privateKey !== undefined) throw usage('--private-key', 'contradicts --signer', 'give one of them');
    if (key === undefined) throw usage('--signer', 'needs the public key of the signer', 'give --key PUB');
    return signerOf(io, key, options);
  }
  if (privateKey !== undefined && key !== undefined) {
    throw usage('--key', 'is for --signer', 'leave it out: the private key includes its public half');
  }
  const file = privateKey ?? key;
  if (file === undefined) throw usage('--private-key', 'is needed to sign', 'give --private-key KEY, or --signer');
  // Until there was --private-key, --key named a private key here, and a public one elsewhere.
  if (key !== undefined) flow.onEvent({ type: 'notice', message: '--key is now --private-key, for a private key' });
  return signerOf(io, file, options);
}

/**
 * Returns the signer: the private key in a file or, with `--signer`, a command. Throws `key-invalid`, `usage-invalid`.
 */
export async function signerOf(io: Io, file: string, options: KeyOptions): Promise<PrivateKey | CommandSigner> {
  const path = absolute(io, file);
  const { signer: command } = options;
  if (command === undefined) return loadPrivateKey(path, (asked) => knownPassphrase(io, options, asked));
  if (options.passphraseFile !== undefined) {
    throw usage('--passphrase-file', 'opens no key, because --signer signs', 'leave one of them out');
  }
  const key: PublicKey = await loadPublicKey(path);
  const env = Object.fromEntries(
    Object.entries(io.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { public: key, command, cwd: io.cwd, env };
}

/** Asks twice for the passphrase of a new key; undefined where there is none and nobody can be asked. */
export async function newPassphrase(io: Io, options: KeyOptions, path: string): Promise<string | undefined> {
  const given = await givenPassphrase(io, options);
  if (given !== undefined || io.ask === undefined) return given;
  const first = await io.ask(`Passphrase for ${plain(path)} (empty for none): `);
  if (first === '' || first === (await io.ask('The same again: '))) return first;
  throw usage('passphrase', 'was typed differently the second time', 'no key was made: run it again');
}

async function knownPassphrase(io: Io, options: KeyOptions, path: string): Promise<string | undefined> {
  return (await givenPassphrase(io, options)) ?? (await io.ask?.(`Passphrase for ${plain(path)}: `));
}

async function givenPassphrase(io: Io, { passphraseFile }: KeyOptions): Promise<string | undefined> {
  if (passphraseFile === undefined) return io.env['SOLPACK_PASSPHRASE'];
  const path = absolute(io, passphraseFile);
  const [line = ''] = Buffer.from(await readFile(path, 64 * 1024))
    .toString('utf8')
    .split(/\r?\n/);
  if (line !== '') return line;
  throw usage('--passphrase-file', `the first line of ${path} is empty`, 'write the passphrase into it');
}
