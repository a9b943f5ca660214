import { Command } from 'commander';
import { carryOutSetup, planSetup, planUndo, undoSetup } from '../../lib/command.ts';
import { exits } from '../../lib/index.ts';
import { repeated } from '../arguments.ts';
import { askFirst } from '../ask-first.ts';
import { type Io, isYes } from '../io.ts';
import { tellDeclined } from '../json-failure.ts';
import { printLines, readable } from '../lines.ts';
import { printResult } from '../output.ts';
import { reporting } from '../reporting.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { findOut, requireAnswers, type SetupOptions, setupProfile, setupRecord } from '../setup.ts';
import { type ShownSetup, setupView } from '../view/setup.ts';
import { styleFor } from '../view/style.ts';

/** Makes the command `solpack setup`. */
export function setupCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('setup')
    .summary('prepare this machine, so that an install needs no flags')
    .description(
      'Looks at this machine: its Kubernetes, container runtime, programs and disks. Prints what it found, ' +
        'proposes how images get to the nodes, and asks once. Then it writes the profile that other commands use, ' +
        'and makes what the delivery of images needs: folders, a service. It changes nothing that is already set ' +
        'up, so it can be run again. --undo lists what it did, asks, and removes that; --undo --plan only lists it. The key of the releases has to be compared with ' +
        'paper, or given by --key or --policy.',
    )
    .argument('[medium]', 'an archive whose installer includes the public key')
    .optionsGroup('What:')
    .option('--plan', 'print what it would do, and do nothing')
    .option('-y, --yes', 'do it without asking')
    .option('--undo', 'undo what it has done on this machine')
    .option('--profile <file>', 'the profile to write (default: /etc/solpack/profile.toml, or that of the user)')
    .option('-f, --configuration <file>', 'the SolutionsConfiguration (default: /etc/solpack/solutions.yaml)')
    .option('--kubeconfig <file>', 'the cluster (default: the kubeconfig of the distribution)')
    .optionsGroup('Trust:')
    .option('--key <pub>', 'trust this public key (PEM); may be repeated. It is copied to this machine', repeated)
    .option('--policy <file>', 'trust as this policy says; the file stays where it is')
    .optionsGroup('Images:')
    .option('--serve', 'run "solpack serve" as a service, and write mirrors for containerd')
    .option('--served-at <url>', 'use the images of a "solpack serve" that runs elsewhere')
    .option('--registry <url>', 'push them to this registry')
    .option('--containerd <socket>', 'import them into this containerd')
    .option('--image-folder <kind>', 'put them into the folder of k3s, rke2 or k0s')
    .option('--image-store <dir>', 'put them into this additional store of podman and CRI-O')
    .option('--hosts-dir <dir>', "containerd's config_path, for --serve, --served-at and --registry")
    .addHelpText('after', help)
    .action(async (medium: string | undefined, options: SetupOptions) => {
      await reporting(io, options, commandSession(io, options), (session) => setUp(session, medium, options, exit));
    });
}

async function setUp(
  session: CommandSession,
  medium: string | undefined,
  options: SetupOptions,
  exit: (code: number) => void,
): Promise<void> {
  const { io, flow } = session;
  const record = setupRecord(io);
  const show = (shown: ShownSetup): void => printResult(session, options, 'setup', shown, setupView);
  requireAnswers(io, options);
  if (options.undo) {
    const profile = await setupProfile(io);
    const back = { profile, steps: await planUndo(record) };
    if (options.plan || back.steps.length === 0) return show(back);
    if (!(await isAgreed(session, options, back, 'Take this back? [y/N] '))) return exit(exits.usage);
    return show({ profile, steps: await undoSetup(record, flow) });
  }
  const { request, ...found } = await findOut(session, medium, options);
  const actions = await planSetup(request);
  const planned = await carryOutSetup(actions, { record, plan: true }, flow);
  const shown = { ...found, profile: request.profile, steps: planned };
  if (options.plan || planned.every(({ state }) => state === 'there')) return show(shown);
  if (!(await isAgreed(session, options, shown, 'Do this? [y/N] '))) return exit(exits.usage);
  show({ ...shown, steps: await carryOutSetup(actions, { record, plan: false }, flow) });
}

/** Shows what is going to be done, and asks, unless --yes says it. */
async function isAgreed(
  { io, progress }: CommandSession,
  { yes }: SetupOptions,
  shown: ShownSetup,
  question: string,
): Promise<boolean> {
  if (yes) return true;
  progress.pause();
  printLines(io.stderr, readable(setupView(shown, styleFor(io.stderr, io.env)), io.stderr));
  if (isYes(await askFirst(io, question))) return true;
  tellDeclined(io);
  return false;
}

const help = `
Examples:
  $ solpack setup                                 # look, propose, ask
  $ solpack setup /media/stick/shop-1.1.0.iso     # with the key on that medium, compared with paper
  $ solpack setup --key release.pub --yes
  $ solpack setup --plan
  $ solpack setup --undo --plan                   # what an undo would remove
  $ solpack setup --undo`;
