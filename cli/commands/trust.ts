import { Argument, Command } from 'commander';
import { type Io, plain } from '../io.ts';
import { type KeyOptions, passphraseFileOption, passphraseHelp, signerOf, signerOption } from '../keys.ts';
import { present } from '../output.ts';
import { absolute, type CommonOptions, type Session, sessionOf, usage } from '../settings.ts';
import { shortKey } from '../view/human.ts';

interface Options extends CommonOptions, KeyOptions {
  readonly current?: string;
  readonly key?: string;
}

/** `solpack trust`. */
export function trustCommand(io: Io): Command {
  return new Command('trust')
    .summary('sign the next version of a trust policy, and accept it')
    .description(
      'sign    adds a signature to those beside a policy, in POLICY.sigstore.jsonl\n' +
        'accept  puts a policy in the place of the current one, if it is its next version and enough keys of both have\n' +
        '        signed it; ends with 3 if not',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(['sign', 'accept']))
    .argument('<policy>', 'the next version of the policy')
    .option('--key <key>', 'to sign: private key (PEM)')
    .addOption(passphraseFileOption())
    .addOption(signerOption())
    .option('--current <policy>', 'to accept: the policy that is followed now, and replaced')
    .addHelpText('after', help)
    .action(async (action: 'sign' | 'accept', policy: string, options: Options) => {
      const session = sessionOf(io, options);
      await (action === 'sign' ? sign(session, policy, options) : accept(session, policy, options));
    });
}

async function sign(session: Session, policy: string, options: Options): Promise<void> {
  const { io } = session;
  if (options.key === undefined) throw usage('--key', 'is needed to sign', 'give --key KEY');
  if (options.current !== undefined) throw usage('--current', 'is for "trust accept"', 'leave it out');
  const { signPolicy } = await import('../../lib/trust/index.ts');
  const signer = await signerOf(io, options.key, options);
  const result = await signPolicy(absolute(io, policy), signer, session.flow);
  present(session, options, result, ({ output, keyId, already }) => [
    already ? `${plain(policy)} is signed already` : `signed ${plain(policy)}`,
    `  by key ${shortKey(keyId)}, in ${plain(output)}`,
  ]);
}

async function accept(session: Session, policy: string, options: Options): Promise<void> {
  const { io } = session;
  if (options.current === undefined) throw usage('--current', 'is needed to accept', 'give --current POLICY');
  if (options.key !== undefined) throw usage('--key', 'is for "trust sign"', 'leave it out');
  const { acceptPolicy } = await import('../../lib/trust/index.ts');
  const request = { current: absolute(io, options.current), next: absolute(io, policy) };
  const result = await acceptPolicy({ ...request, clock: Math.floor(Date.now() / 1000) });
  present(session, options, result, ({ path, version, signers }) => [
    `accepted version ${version} of ${plain(path)}`,
    `  signed by key ${signers.map(shortKey).join(', ')}`,
  ]);
}

const help = `
Environment:
  ${passphraseHelp}

Examples:
  $ solpack trust sign trust-2.toml --key security.key
  $ solpack trust accept trust-2.toml --current /etc/solpack/trust.toml`;
