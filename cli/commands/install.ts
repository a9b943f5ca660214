import { Command } from 'commander';
import {
  directoryTarget,
  duration,
  foreseeImport,
  kubernetesTarget,
  makeOutputFolder,
  shellWord,
} from '../../lib/command.ts';
import {
  type ClusterTarget,
  exits,
  foreseeInstall,
  type InstallRequest,
  type InstallResult,
  importArchives,
  install,
  lend,
} from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { hasLastingPlace, imageDelivery, imagesStay } from '../image-delivery.ts';
import { clusterAccess } from '../in-cluster.ts';
import { agreeOn, Declined, namingRemovals } from '../install-agreement.ts';
import { isToBeAsked, requireAgreeing, requireGoal, requirePullable } from '../install-checks.ts';
import { installFlags } from '../install-flags.ts';
import { type InstallOptions, requestOf, requirePlanOrRun } from '../install-request.ts';
import { interruptible } from '../interruptible.ts';
import { type Io, ownEnvironment, plain } from '../io.ts';
import { tellDeclined } from '../json-failure.ts';
import { namedArchives } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { registryConnections, registryEnvironment, registryFlags } from '../registry.ts';
import { reporting } from '../reporting.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { tellingOnce } from '../telling-once.ts';
import { untilAborted } from '../until-aborted.ts';
import { nextView } from '../view/exposed.ts';
import { broughtImagesView, type InstallWords, installView } from '../view/install.ts';
import { installPlanView } from '../view/install-plan.ts';
import type { Style } from '../view/style.ts';

/** Makes the command `solpack install`. */
export function installCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('install')
    .summary('install archives, or what a SolutionsConfiguration names')
    .description(
      'Reads a SolutionsConfiguration, chooses a version of each Solution, verifies its archive, makes its ' +
        'images available, renders its components, applies them to a cluster and waits until they are ready. ' +
        'Solutions that the same configuration installed earlier, and no longer activates, are removed from the ' +
        'cluster. --kubeconfig or a profile has to name the cluster: KUBECONFIG is ignored. --render writes ' +
        'objects to a folder instead, and --images-only ends when the images are available. --policy, --key or a ' +
        'profile has to name whom to trust. Named archives are imported and activated first. If archives are ' +
        'named, or if the configuration is that of the profile, the plan is shown, and a person is asked on a ' +
        'terminal.',
    )
    .argument('[archives...]', 'archives to import and to activate, as "solpack import" takes them');
  return registryFlags(installFlags(command), true)
    .addHelpText('after', help)
    .action(async (archives: string[], options: InstallOptions) => {
      requireGoal(options);
      requirePullable(options);
      requireAgreeing(options);
      requirePlanOrRun(options);
      const isOurs = command.getOptionValueSource('configuration') === 'config';
      const isShort = archives.length > 0 || isOurs;
      const mustAsk = isToBeAsked(io, options, isShort);
      const isTyped = command.getOptionValueSource('kubeconfig') === 'cli';
      const status = isTyped
        ? `solpack status --kubeconfig ${shellWord(plain(options.kubeconfig!))}`
        : 'solpack status';
      const asked = { archives, isOurs, isShort, mustAsk, status, exit };
      await reporting(io, options, commandSession(io, options), (session) => carryOut(session, options, asked));
    });
}

/** What is asked of an install besides its options. */
interface Asked {
  readonly archives: readonly string[];
  /** Whether the configuration is that of the profile. */
  readonly isOurs: boolean;
  /** Whether archives were named, or the configuration is that of the profile: then what goes has to be named. */
  readonly isShort: boolean;
  /** Whether a person sees the plan first, and says yes. */
  readonly mustAsk: boolean;
  /** The command that says how the cluster is. */
  readonly status: string;
  readonly exit: (code: number) => void;
}

async function carryOut(session: CommandSession, options: InstallOptions, asked: Asked): Promise<void> {
  const { io } = session;
  const registries = registryConnections(io, options, session.flow, deliveredTo(options));
  const request = {
    ...(await requestOf(io, options, registries.connect)),
    delivery: await imageDelivery(io, options, session.flow),
    hostsDir: options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir),
    cluster: await clusterTarget(io, options),
    exposes: true,
  };
  const work = (): Promise<void> => plannedWork(session, options, request, asked);
  await (request.cluster ? lend(request.cluster, work) : work()).finally(registries.close);
}

/** Shows the plan and asks, as far as that is wanted; then imports what is named, and installs. */
async function plannedWork(
  session: CommandSession,
  options: InstallOptions,
  request: InstallRequest,
  { archives, isOurs, isShort, mustAsk, status, exit }: Asked,
): Promise<void> {
  const { io, flow } = session;
  const { configuration, media } = request;
  const importing = {
    configuration,
    archives: await namedArchives(io, archives),
    form: 'grouped' as const,
    activate: true,
    makesFolder: isOurs,
    ...(media ? { media } : {}),
  };
  const once = tellingOnce(flow);
  const document = archives.length === 0 ? undefined : await foreseeImport(importing, once);
  const named = isShort || options.allowRemoval !== undefined ? namingRemovals(request, options) : request;
  const foreseen = { ...named, ...(document === undefined ? {} : { document, imports: true }) };
  if (options.plan) return printPlan(session, options, foreseen);
  const agreement = named.agreement && {
    ...named.agreement,
    ...(mustAsk ? { agree: agreeOn(session) } : {}),
    begin: async () => {
      // What cannot be written has to be found out before the configuration names what is not installed.
      if (options.render !== undefined) await makeOutputFolder(absolute(io, options.render));
      if (archives.length > 0) await importArchives(importing, once);
    },
  };
  try {
    await bring(session, options, { ...foreseen, agreement }, status);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    tellDeclined(io);
    exit(exits.usage);
  }
}

async function printPlan(session: CommandSession, options: InstallOptions, request: InstallRequest): Promise<void> {
  const plan = await foreseeInstall(request, session.flow);
  printResult(session, options, 'install-plan', plan, installPlanView);
}

async function bring(
  session: CommandSession,
  options: InstallOptions,
  request: InstallRequest,
  status: string,
): Promise<void> {
  const view = (result: InstallResult, style: Style): string[] =>
    options.imagesOnly
      ? broughtImagesView(result, style, imagesStay(options)!, options.all === true)
      : [...installView(result, style, installWords(options)), ...nextView(result, status, style)];
  const show = (result: InstallResult): void => printResult(session, options, 'install', result, view);
  if (!options.hold) {
    return show(await interruptible(session, (interruption) => install({ ...request, interruption }, session.flow)));
  }
  await install(request, session.flow, async (result) => {
    show(result);
    await untilAborted(session.io.signal);
  });
}

/** What the result of an install is called, and how long its images stay. */
function installWords(options: InstallOptions): InstallWords {
  const hasPlace = options.hold === true || hasLastingPlace(options);
  return { lists: options.all === true, isRendered: options.render !== undefined, isGone: !hasPlace };
}

/** The registry that images go to, which a login is for. */
function deliveredTo({ registry, servedAt }: InstallOptions): string | undefined {
  const url = registry ?? servedAt;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

async function clusterTarget(io: Io, options: InstallOptions): Promise<ClusterTarget | undefined> {
  const { kubeconfig, render, timeout, forceConflicts = false, takeOver, test, rollbackOnFailure, through } = options;
  if (test && kubeconfig === undefined) throw usage('--test', 'is for a cluster', 'leave it out, or give --kubeconfig');
  if (rollbackOnFailure && kubeconfig === undefined) {
    throw usage('--rollback-on-failure', 'is for a cluster', 'leave it out, or give --kubeconfig');
  }
  if (through && kubeconfig === undefined) {
    throw usage('--through', 'is for a cluster', 'leave it out, or give --kubeconfig');
  }
  if (kubeconfig !== undefined && render === undefined) {
    const removal = 1000 * duration(timeout, '--timeout');
    const env = ownEnvironment(io);
    return kubernetesTarget({ kubeconfig: clusterAccess(io, kubeconfig), env, forceConflicts, removal });
  }
  if (kubeconfig !== undefined) throw usage('--kubeconfig', 'contradicts --render', 'give one of them');
  if (takeOver) throw usage('--take-over', 'is for a cluster', 'leave it out, or give --kubeconfig');
  if (forceConflicts) throw usage('--force-conflicts', 'is for a cluster', 'leave it out, or give --kubeconfig');
  if (render === undefined) return undefined;
  return directoryTarget(absolute(io, render));
}

const help = `
Environment:
${registryEnvironment}

A SolutionsConfiguration:
  apiVersion: solutions.metalk8s.scality.com/v1alpha1
  kind: SolutionsConfiguration
  metadata:
    name: edge                  # what it brought is known by it (default)
  solutions:
    - name: guestbook
      activeVersion: "1.1.0"    # default: the highest, but no pre-release
      archives:                 # files, patterns, folders, devices, https://,
                                # HOST/REPOSITORY:TAG; relative to this file
        - guestbook-1.0.0.iso
        - guestbook-1.1.0.iso

Examples:
  $ solpack install /media/stick/shop-1.1.0.iso    # all else is in the profile
  $ solpack install -f solutions.yaml --key release.pub --render rendered
  $ solpack install -f solutions.yaml --key release.pub --registry http://127.0.0.1:5000
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --served-at http://127.0.0.1:5000 --hosts-dir /etc/containerd/certs.d
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf --image-folder k3s
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --containerd /run/containerd/containerd.sock
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --registry https://registry.example.com --plan --json > plan.json`;
