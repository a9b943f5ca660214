import { Command } from 'commander';
import {
  type ClusterTarget,
  directoryTarget,
  duration,
  foreseeInstall,
  type InstallRequest,
  type InstallResult,
  install,
  kubernetesTarget,
  lend,
} from '../../lib/index.ts';
import { absolute, usage } from '../arguments.ts';
import { hasLastingPlace, imageDelivery } from '../image-delivery.ts';
import { clusterAccess } from '../in-cluster.ts';
import { installFlags } from '../install-flags.ts';
import { type InstallOptions, requestOf, requirePlanOrRun } from '../install-request.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { printResult } from '../output.ts';
import { registryConnections, registryEnvironment, registryFlags } from '../registry.ts';
import { reporting } from '../reporting.ts';
import { type CommandSession, commandSession } from '../session.ts';
import { untilAborted } from '../until-aborted.ts';
import { installView } from '../view/install.ts';
import { installPlanView } from '../view/install-plan.ts';

/** Makes the command `solpack install`. */
export function installCommand(io: Io): Command {
  const command = new Command('install')
    .summary('choose, verify, load, render and apply what a SolutionsConfiguration names')
    .description(
      'Reads a SolutionsConfiguration, chooses a version of each Solution, verifies its archive, makes its images\n' +
        'available, renders its components, applies them to a cluster and waits until they are ready. Solutions that\n' +
        'the same configuration brought earlier, and no longer activates, are removed from the cluster. Without\n' +
        '--kubeconfig and --render it ends once the images are there; KUBECONFIG is not looked at. Whom to trust has to\n' +
        'be said, by --policy or by --key.',
    );
  return registryFlags(installFlags(command), true)
    .addHelpText('after', help)
    .action(async (options: InstallOptions) => {
      requirePullable(options);
      requireAgreeing(options);
      requirePlanOrRun(options);
      await reporting(io, options, commandSession(io, options), (session) => carryOut(session, options));
    });
}

async function carryOut(session: CommandSession, options: InstallOptions): Promise<void> {
  const { io } = session;
  const registries = registryConnections(io, options, session.flow, deliveredTo(options));
  const request = {
    ...(await requestOf(io, options, registries.connect)),
    delivery: await imageDelivery(io, options, session.flow),
    hostsDir: options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir),
    cluster: await clusterTarget(io, options),
  };
  const work = options.plan ? () => printPlan(session, options, request) : () => bring(session, options, request);
  await (request.cluster ? lend(request.cluster, work) : work()).finally(registries.close);
}

async function printPlan(session: CommandSession, options: InstallOptions, request: InstallRequest): Promise<void> {
  const plan = await foreseeInstall(request, session.flow);
  printResult(session, options, 'install-plan', plan, installPlanView);
}

async function bring(session: CommandSession, options: InstallOptions, request: InstallRequest): Promise<void> {
  const show = (result: InstallResult): void => printResult(session, options, 'install', result, installView);
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

/** Refuses a cluster whose nodes would have no permanent place to pull from. */
function requirePullable(options: InstallOptions): void {
  if (options.kubeconfig === undefined || hasLastingPlace(options)) return;
  throw usage(
    '--kubeconfig',
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
  $ solpack install -f solutions.yaml --key release.pub --render rendered
  $ solpack install -f solutions.yaml --key release.pub --registry http://127.0.0.1:5000
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --served-at http://127.0.0.1:5000 --hosts-dir /etc/containerd/certs.d
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf --image-folder k3s
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --containerd /run/containerd/containerd.sock
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --registry https://registry.example.com --plan --json > plan.json`;
