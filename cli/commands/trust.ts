import { Argument, Command } from 'commander';
import {
  acceptPolicy,
  loadPolicy,
  mendMemory,
  readMemory,
  shortKey,
  showMemory,
  signDocument,
} from '../../lib/command.ts';
import { absolute, usage } from '../arguments.ts';
import { type Io, plain } from '../io.ts';
import { namedSigner, passphraseHelp, type SigningKeyOptions, signingKeyFlags } from '../keys.ts';
import { printResult } from '../output.ts';
import { type CommandSession, type CommonOptions, commandSession } from '../session.ts';
import { type TrustOptions, trustState } from '../trust.ts';
import { mendView, trustView } from '../view/trust.ts';

interface Options extends CommonOptions, SigningKeyOptions, Omit<TrustOptions, 'key'> {
  readonly current?: string;
}

/** The file, if any, and the options of each action. */
const actions = {
  sign: { file: 'POLICY or MEND', options: ['privateKey', 'key', 'passphraseFile', 'signer'] },
  accept: { file: 'POLICY', options: ['current', 'trustState'] },
  show: { file: undefined, options: ['policy', 'trustState'] },
  mend: { file: 'MEND', options: ['policy', 'trustState'] },
} as const;

type Action = keyof typeof actions;

/** Options that only some actions have, as users write them. */
const flags = {
  privateKey: '--private-key',
  key: '--key',
  passphraseFile: '--passphrase-file',
  signer: '--signer',
  current: '--current',
  policy: '--policy',
  trustState: '--trust-state',
} as const;

/** Makes the command `solpack trust`. */
export function trustCommand(io: Io): Command {
  return signingKeyFlags(new Command('trust'))
    .summary('sign and accept the next version of a trust policy; show and correct what installs remember')
    .description(
      'Changes whom installs trust, and what they remember of earlier releases. Ends with 3 if too few keys of ' +
        'a policy have signed what it is to accept or to correct.',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(Object.keys(actions)))
    .argument('[file]', 'the next version of the policy, or a mend ("solpack docs trust")')
    .option('--current <policy>', 'to accept: the present policy, which is replaced')
    .option('--policy <file>', 'to show and to correct: the trust policy')
    .option('--trust-state <dir>', 'where installs remember releases (default: /var/lib/solpack/trust for root)')
    .addHelpText('after', help)
    .action(async (action: Action, file: string | undefined, options: Options) => {
      requireFitting(action, file, options);
      const session = commandSession(io, options);
      await run[action](session, file ?? '', options);
    });
}

/**
 * Refuses options and a file that the action does not use, and requires the file that it does use. Throws
 * `usage-invalid`.
 */
function requireFitting(action: Action, file: string | undefined, options: Options): void {
  const known: readonly string[] = actions[action].options;
  for (const [name, flag] of Object.entries(flags)) {
    if (options[name as keyof typeof flags] === undefined || known.includes(name)) continue;
    throw usage(flag, `is not for "trust ${action}"`, 'leave it out');
  }
  const wanted = actions[action].file;
  if (file === undefined && wanted) throw usage(`trust ${action}`, 'needs a file', `write trust ${action} ${wanted}`);
  if (file !== undefined && !wanted) throw usage(file, `is not for "trust ${action}"`, 'leave it out');
}

const run: Record<Action, (session: CommandSession, file: string, options: Options) => Promise<void>> = {
  sign: async (session, file, options) => {
    const { io } = session;
    const signer = await namedSigner(session, options);
    const result = await signDocument(absolute(io, file), signer, session.flow);
    printResult(session, options, 'trust', result, ({ output, keyId, already }) => [
      already ? `${plain(file)} is signed already` : `signed ${plain(file)}`,
      `  by key ${shortKey(keyId)}, in ${plain(output)}`,
    ]);
  },
  accept: async (session, file, options) => {
    const { io } = session;
    if (options.current === undefined) throw usage('--current', 'is needed to accept', 'give --current POLICY');
    const request = { current: absolute(io, options.current), next: absolute(io, file), clock: clock() };
    const result = await acceptPolicy({ ...request, memory: await readMemory(trustState(io, options)) });
    printResult(session, options, 'trust', result, ({ path, version, signers }) => [
      `accepted version ${version} of ${plain(path)}`,
      `  signed by key ${signers.map(shortKey).join(', ')}`,
    ]);
  },
  show: async (session, _, options) => {
    const { io } = session;
    const policy = options.policy === undefined ? undefined : await loadPolicy(absolute(io, options.policy));
    printResult(session, options, 'trust', await showMemory(trustState(io, options), clock(), policy), trustView);
  },
  mend: async (session, file, options) => {
    const { io } = session;
    if (options.policy === undefined) throw usage('--policy', 'is needed to mend', 'give --policy POLICY');
    const policy = await loadPolicy(absolute(io, options.policy));
    const request = { mend: absolute(io, file), state: trustState(io, options), policy, clock: clock() };
    printResult(session, options, 'trust', await mendMemory(request), mendView);
  },
};

/** Returns the time in seconds since 1970. */
function clock(): number {
  return Math.floor(Date.now() / 1000);
}

const help = `
Actions:
  sign FILE     adds a signature to FILE.sigstore.jsonl, beside a policy or a mend; takes --private-key or --signer
  accept FILE   puts FILE in the place of the policy --current, if it is its next version and enough keys of both have
                signed it
  show          prints what installs have remembered here, and how --policy judges it
  mend FILE     sets what is remembered of some Solutions, as FILE says, if enough keys of the rotation of --policy have
                signed it, and what is remembered is what FILE replaces

Environment:
  ${passphraseHelp}

Examples:
  $ solpack trust sign trust-2.toml --private-key security.key
  $ solpack trust accept trust-2.toml --current /etc/solpack/trust.toml
  $ solpack trust show --policy /etc/solpack/trust.toml
  $ solpack trust sign mend.toml --private-key security.key
  $ solpack trust mend mend.toml --policy /etc/solpack/trust.toml`;
