import { Command } from 'commander';
import { readFile, redact } from '../../lib/command.ts';
import { type DetachedBundle, exits, type Verification, verify } from '../../lib/index.ts';
import { absolute, repeated, usage } from '../arguments.ts';
import type { Io } from '../io.ts';
import { printResult } from '../output.ts';
import { basePlaces, caFileOption } from '../place.ts';
import { plainHttpOption, registryEnvironment, registryFlags } from '../registry.ts';
import { type CommonOptions, commandSession } from '../session.ts';
import { type SolutionOptions, solutionPlace } from '../solution.ts';
import { rememberedFor, type TrustOptions, trustOf } from '../trust.ts';
import { verificationView } from '../view/archive.ts';

interface Options extends CommonOptions, SolutionOptions, TrustOptions {
  readonly bundle?: string[];
  readonly base?: string[];
  readonly contentOnly?: boolean;
}

/** Makes the command `solpack verify`. */
export function verifyCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('verify')
    .summary('check every byte of an archive, and who signed it')
    .description(
      'Hashes every blob of an archive, makes every other byte anew from its root and compares, and checks the ' +
        'signature. In a folder or a registry, it checks contents alone. Ends with 0 if all is well, 1 if ' +
        'something is not as it should be, 3 if it is not trusted.',
    )
    .argument(
      '<archive>',
      'an archive: a file (.iso or .tar), a device, a folder where it is mounted or extracted, http:// or https://, or HOST/REPOSITORY:TAG of a registry',
    )
    .option('--key <pub>', 'a public key (PEM); may be repeated: one of them has to have signed', repeated)
    .option(
      '--fingerprint <sha256>',
      'the fingerprint of a key, such as one on paper, in place of its file, or to compare --key with; may be repeated',
      repeated,
    )
    .option('--policy <file>', 'a trust policy ("solpack docs trust"): decides as "solpack install --policy" does')
    .option('--trust-state <dir>', 'the folder of remembered releases: older ones are refused')
    .option(
      '--base <archive>',
      'an archive that may have what a delta lacks; its contents are checked too; may be repeated',
      repeated,
    )
    .option('--content-only', 'check only the contents that the root names, whichever program wrote the archive')
    .option('--bundle <file>', 'a signature in a file of its own (Sigstore bundle); may be repeated', repeated)
    .addOption(caFileOption())
    .addOption(plainHttpOption());
  return registryFlags(command, true)
    .addHelpText(
      'after',
      `\nEnvironment:\n${registryEnvironment}\n\nExamples:\n  $ solpack verify guestbook-1.1.0.iso --key release.pub\n  $ solpack verify guestbook-1.1.0.iso --fingerprint "$(cat paper.txt)"\n  $ solpack verify guestbook-1.1.0.iso --policy trust.toml --json\n  $ solpack verify guestbook-1.1.0.delta.iso --base guestbook-1.0.0.iso --key release.pub\n  $ solpack verify registry.example.com/solutions/guestbook:1.1.0 --key release.pub`,
    )
    .action(async (archive: string, options: Options) => {
      const session = commandSession(io, options);
      const { at, close } = await solutionPlace(session, archive, options);
      const request = {
        archive: at,
        trust: await trustOf(io, options, rememberedFor(io, options)),
        bundles: await bundlesOf(io, options),
        bases: await basePlaces(io, options.base),
        contentOnly: options.contentOnly,
      };
      const result = await verify(request, session.flow).finally(close);
      printResult(session, options, 'verify', result, (value, style) =>
        verificationView(value, redact(archive), style),
      );
      exit(exitOf(result));
    });
}

/** Returns the exit code. An archive too damaged to say what it is counts as damaged, not as untrusted. */
function exitOf({ ok, trusted, name }: Verification): number {
  if (ok) return exits.ok;
  return trusted === false && name !== undefined ? exits.untrusted : exits.findings;
}

async function bundlesOf(io: Io, { key, policy, fingerprint, bundle = [] }: Options): Promise<DetachedBundle[]> {
  if (bundle.length > 0 && !(key ?? policy ?? fingerprint)) {
    throw usage('--bundle', 'has no effect without a key that has to have signed', 'add --key PUB or --policy FILE');
  }
  const read = async (name: string): Promise<DetachedBundle> => {
    return { name, bytes: await readFile(absolute(io, name), 1024 * 1024) };
  };
  return Promise.all(bundle.map(read));
}
