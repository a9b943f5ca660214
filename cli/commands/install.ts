import { Command } from 'commander';
import {
  type ClusterTarget,
  directoryTarget,
  duration,
  exits,
  foreseeImport,
  foreseeInstall,
  type InstallPlan,
  type InstallRequest,
  type InstallResult,
  importArchives,
  install,
  kubernetesTarget,
  lend,
} from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { hasLastingPlace, imageDelivery, imagesStay } from '../image-delivery.ts';
import { clusterAccess } from '../in-cluster.ts';
import { installFlags } from '../install-flags.ts';
import { type InstallOptions, requestOf, requirePlanOrRun } from '../install-request.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { printLines, readable } from '../lines.ts';
import { namedArchives } from '../named-archives.ts';
import { printResult } from '../output.ts';
import { registryConnections, registryEnvironment, registryFlags } from '../registry.ts';
import { reporting } from '../reporting.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { untilAborted } from '../until-aborted.ts';
import { broughtImagesView, installView } from '../view/install.ts';
import { installPlanView } from '../view/install-plan.ts';
import { type Style, styleFor } from '../view/style.ts';

/** Makes the command `solpack install`. */
export function installCommand(io: Io, exit: (code: number) => void): Command {
  const command = new Command('install')
    .summary('choose, verify, load, render and apply what a SolutionsConfiguration names')
    .description(
      'Reads a SolutionsConfiguration, chooses a version of each Solution, verifies its archive, makes its images\n' +
        'available, renders its components, applies them to a cluster and waits until they are ready. Solutions that\n' +
        'the same configuration brought earlier, and no longer activates, are removed from the cluster. The cluster has to\n' +
        'be named, by --kubeconfig or by a profile: KUBECONFIG is not looked at. --render writes objects to a folder\n' +
        'instead, and --images-only ends once the images are there. Whom to trust has to be said, by --policy or by\n' +
        '--key, or by a profile. Archives that are named are imported and activated first. Then, and if the\n' +
        'configuration is that of the profile, the plan is shown, and a person is asked on a terminal.',
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
      const mustAsk = isToBeAsked(io, options, archives.length > 0 || isOurs);
      const asked = { archives, isOurs, mustAsk, exit };
      await reporting(io, options, commandSession(io, options), (session) => carryOut(session, options, asked));
    });
}

/** What is asked of an install besides its options. */
interface Asked {
  readonly archives: readonly string[];
  /** Whether the configuration is that of the profile. */
  readonly isOurs: boolean;
  /** Whether a person sees the plan first, and says yes. */
  readonly mustAsk: boolean;
  readonly exit: (code: number) => void;
}

/**
 * Whether a person has to be asked: where they have not named the configuration themselves, and a cluster is to be changed. Throws
 * `usage-invalid` where nobody can be asked, before anything is done.
 */
function isToBeAsked(io: Io, { yes, plan, confirm, kubeconfig }: InstallOptions, isShort: boolean): boolean {
  if (!isShort || yes === true || plan === true || confirm !== undefined || kubeconfig === undefined) return false;
  if (io.ask !== undefined) return true;
  throw usage(
    'install',
    'would ask before it changes the cluster, and there is no terminal',
    'give --yes, or look with --plan first',
  );
}

async function carryOut(session: CommandSession, options: InstallOptions, asked: Asked): Promise<void> {
  const { io } = session;
  const registries = registryConnections(io, options, session.flow, deliveredTo(options));
  const request = {
    ...(await requestOf(io, options, registries.connect)),
    delivery: await imageDelivery(io, options, session.flow),
    hostsDir: options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir),
    cluster: await clusterTarget(io, options),
  };
  const work = (): Promise<void> => plannedWork(session, options, request, asked);
  await (request.cluster ? lend(request.cluster, work) : work()).finally(registries.close);
}

/** Imports what is named, shows the plan and asks, as far as that is wanted; then installs. */
async function plannedWork(
  session: CommandSession,
  options: InstallOptions,
  request: InstallRequest,
  { archives, isOurs, mustAsk, exit }: Asked,
): Promise<void> {
  const { io, flow } = session;
  const { configuration, media } = request;
  const named = await namedArchives(io, archives);
  const form = 'grouped' as const;
  const importing = {
    configuration,
    archives: named,
    form,
    activate: true,
    makesFolder: isOurs,
    ...(media ? { media } : {}),
  };
  const document = archives.length === 0 ? undefined : await foreseeImport(importing, flow);
  const foreseen = { ...request, ...(document === undefined ? {} : { document }) };
  if (options.plan) return printPlan(session, options, foreseen);
  if (mustAsk && !(await isWanted(session, await foreseeInstall(foreseen, flow)))) {
    io.stderr.write('nothing was changed\n');
    return exit(exits.usage);
  }
  if (archives.length > 0) await importArchives(importing, flow);
  return bring(session, options, request);
}

/** Shows a person what an install would do, and asks whether it is to be done. */
async function isWanted({ io, progress }: CommandSession, plan: InstallPlan): Promise<boolean> {
  progress.end();
  printLines(io.stderr, readable(installPlanView(plan, styleFor(io.stderr, io.env)), io.stderr));
  const answer = await io.ask!('Install? [y/N] ', true);
  return /^y(?:es)?$/i.test(answer.trim());
}

async function printPlan(session: CommandSession, options: InstallOptions, request: InstallRequest): Promise<void> {
  const plan = await foreseeInstall(request, session.flow);
  printResult(session, options, 'install-plan', plan, installPlanView);
}

async function bring(session: CommandSession, options: InstallOptions, request: InstallRequest): Promise<void> {
  const view = (result: InstallResult, style: Style): string[] =>
    options.imagesOnly ? broughtImagesView(result, style, imagesStay(options)!) : installView(result, style);
  const show = (result: InstallResult): void => printResult(session, options, 'install', result, view);
  if (!options.hold) return show(await install(request, session.flow));
  await install(request, session.flow, async (result) => {
    show(result);
    await untilAborted(session.io.signal);
  });
}

/** The registry that images go to, which a login is for. */
function deliveredTo({ registry, servedAt }: InstallOptions): string | undefined {
  const url = registry ?? servedAt;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

async function clusterTarget(io: Io, options: InstallOptions): Promise<ClusterTarget | undefined> {
  const { kubeconfig, render, timeout, forceConflicts = false, takeOver, test, rollbackOnFailure } = options;
  if (test && kubeconfig === undefined) throw usage('--test', 'is for a cluster', 'leave it out, or give --kubeconfig');
  if (rollbackOnFailure && kubeconfig === undefined) {
    throw usage('--rollback-on-failure', 'is for a cluster', 'leave it out, or give --kubeconfig');
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

/** Refuses an install after which nothing would be there. */
function requireGoal({ kubeconfig, render, imagesOnly }: InstallOptions): void {
  if (imagesOnly) {
    const other = kubeconfig === undefined ? render && '--render' : '--kubeconfig';
    if (other) throw usage('--images-only', `contradicts ${other}`, 'give one of them');
  } else if (kubeconfig === undefined && render === undefined) {
    throw usage(
      'install',
      'knows no cluster to install into, and KUBECONFIG is not looked at',
      'give --kubeconfig FILE, --render DIR for objects in a folder, or --images-only; "solpack profile set kubeconfig FILE" remembers it',
    );
  }
}

/** Refuses an install whose images no node could pull once it has ended. */
function requirePullable(options: InstallOptions): void {
  if (options.imagesOnly === true ? imagesStay(options) !== undefined : options.kubeconfig === undefined) return;
  if (options.imagesOnly !== true && hasLastingPlace(options)) return;
  throw usage(
    options.imagesOnly ? '--images-only' : '--kubeconfig',
    'needs a place that nodes can pull images from',
    'give --registry, --served-at, --image-folder, --containerd, --image-store or --hosts-dir, or --hold with a --listen address of a fixed port',
  );
}

/** Refuses to be strict and lenient at once. */
function requireAgreeing({ strict, allowMissingImages }: InstallOptions): void {
  if (strict && allowMissingImages) throw usage('--strict', 'contradicts --allow-missing-images', 'give one of them');
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
      activeVersion: "1.1.0"    # left out: the highest that is no pre-release
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
