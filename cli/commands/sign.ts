import { Command } from 'commander';
import { shortKey } from '../../lib/command.ts';
import { type SignResult, signArchive, signInRegistry } from '../../lib/index.ts';
import { absolute } from '../arguments.ts';
import { count, type Io, plain } from '../io.ts';
import { namedSigner, passphraseHelp, type SigningKeyOptions, signingKeyFlags } from '../keys.ts';
import { printResult } from '../output.ts';
import {
  plainHttpOption,
  type RegistryFlags,
  registryEnvironment,
  registryFlags,
  registryOptions,
} from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { referenceIn } from '../solution.ts';

interface Options extends CommonOptions, SigningKeyOptions, RegistryFlags {
  readonly output?: string;
  readonly verify?: boolean;
}

/** Makes the command `solpack sign`. */
export function signCommand(io: Io): Command {
  const command = signingKeyFlags(new Command('sign'))
    .summary('sign an archive, or a Solution in a registry')
    .description(
      'Signs the root of an archive, and the statements of its attestations that nobody has signed yet, in ' +
        'slots that the archive reserves for that: no other byte changes, except the entries of index.json in a ' +
        'tar. In a registry, and for tools that read a tar, signatures are referrers of what they are about. ' +
        'First it checks that the root, the manifests and the metadata fit together; with --verify, every other ' +
        'byte too.',
    )
    .argument('<archive>', 'an archive (.iso or .tar), or HOST/REPOSITORY:TAG of a registry')
    .option('--verify', 'check every byte of the archive before it is signed')
    .option(
      '-o, --output <bundle>',
      'write the Sigstore bundle to this file, and leave the archive alone (default for a medium that solpack did not pack: beside it)',
    )
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText('after', help)
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const reference = await referenceIn(io, archive, options);
      const request = {
        signer: await namedSigner(session, options),
        output: options.output === undefined ? undefined : absolute(io, options.output),
        verify: options.verify === true,
      };
      const { flow } = session;
      const result = reference
        ? await signInRegistry(
            { ...request, reference, options: await registryOptions(io, options, flow, reference.registry) },
            flow,
          )
        : await signArchive({ ...request, archive: absolute(io, archive) }, flow);
      const output = result.output ?? request.output;
      const where = reference ? `${archive}, as ${result.referrer}` : `slot ${result.slot} of ${archive}`;
      printResult(session, options, 'sign', { ...result, ...(output ? { output } : {}) }, () =>
        signed(result, output ?? where, request.verify),
      );
    });
}

function signed({ root, keyId, already, attested }: SignResult, where: string, verified: boolean): string[] {
  const what = `by key ${shortKey(keyId)}, in ${plain(where)}`;
  const statements = attested.length === 0 ? [] : [`  and ${count(attested.length, 'attestation')}${named(attested)}`];
  if (already) {
    const changed = attested.length === 0 ? 'nothing was changed' : 'its attestations were not';
    return [`${root} is signed already`, `  ${what}; ${changed}`, ...statements];
  }
  const checked = verified ? 'every byte' : 'the root, the manifests and the metadata; "--verify" checks every byte';
  return [`signed ${root}`, `  ${what}`, ...statements, `  checked before: ${checked}`];
}

/** The names of a few things; of many, nobody reads them in a line. */
function named(names: readonly string[]): string {
  return names.length <= 3 ? `: ${names.map(plain).join(', ')}` : '';
}

const help = `
Environment:
  ${passphraseHelp}
${registryEnvironment}

Examples:
  $ solpack sign guestbook-1.1.0.iso --private-key release.key
  $ solpack sign guestbook-1.1.0.iso --key release.pub \\
      --signer 'openssl dgst -sha256 -binary | pkcs11-tool --login --pin env:PIN --sign --mechanism ECDSA --id 01'
  $ solpack sign guestbook-1.1.0.iso --private-key release.key -o guestbook-1.1.0.sigstore.json
  $ solpack sign registry.example.com/solutions/guestbook:1.1.0 --private-key release.key`;
