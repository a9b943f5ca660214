import { Command } from 'commander';
import { alsoListed, duration, kubernetesTarget, seededRegistry } from '../../lib/command.ts';
import { type Flow, foreseeInstall, type ImageDelivery, install, lend } from '../../lib/index.ts';
import { absolute, registryUrl, usage } from '../arguments.ts';
import { placeBesides } from '../image-delivery.ts';
import { clusterAccess, podAccount } from '../in-cluster.ts';
import { installFlags } from '../install-flags.ts';
import { type InstallOptions, requestOf, requirePlanOrRun } from '../install-request.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { printResult } from '../output.ts';
import { registryConnections, registryEnvironment, registryFlags, registryOptions } from '../registry.ts';
import { commandSession } from '../session.ts';
import { installView } from '../view/install.ts';
import { installPlanView } from '../view/install-plan.ts';

interface Options extends InstallOptions {
  readonly registry: string;
  readonly hostsDir: string;
  readonly kubeconfig: string;
  /** False for --no-pin. */
  readonly pin?: string | false;
}

const required = ['registry', 'hostsDir', 'kubeconfig'];
/** The flags of `install` that it has too: not those that say where images and objects go instead. */
const shared = [
  ...required,
  ...['imageFolder', 'imageFolderFormat', 'containerd', 'imageStore'],
  ...[
    'configuration',
    'caFile',
    'values',
    'variable',
    'confirm',
    'plan',
    'all',
    'plainHttp',
    'timeout',
    'keepGenerations',
  ],
  ...['allowFiles', 'allowVariable', 'allowAddress', 'allowRegistry'],
  ...['key', 'policy', 'trustState', 'allowDowngrade', 'insecureSkipVerify', 'strict', 'forceConflicts'],
  ...['allowMissingImages', 'allowMissingPlatforms', 'allowUnsupportedKubernetes', 'allowBreakingDefinitions'],
];

/** Makes the command `solpack seed`. */
export function seedCommand(io: Io): Command {
  const command = new Command('seed')
    .summary('hand the images over to a registry that runs in the cluster')
    .description(
      'Hands the images of all active Solutions over to a registry that one of them has installed in the ' +
        'cluster, so that the "solpack serve" that supplied it can end. It waits until that registry answers, ' +
        'pins the images of the registry on this node, pushes all images to it, and only then lets the mirrors ' +
        'name it and nothing else. Otherwise it works like an install, and changes no object that is as the ' +
        'configuration says. If it is interrupted, run it again.',
    )
    .argument('<solution>', 'the Solution that brings the registry');
  for (const option of installFlags(new Command()).options) {
    const name = option.attributeName();
    if (!shared.includes(name)) continue;
    const isNeeded = required.includes(name) && !(name === 'kubeconfig' && podAccount(io) !== undefined);
    command.addOption(isNeeded ? option.makeOptionMandatory() : option);
  }
  return registryFlags(command, true)
    .optionsGroup('Images:')
    .option('--pin <socket>', `the containerd of this node, which keeps the images of <solution> (default: ${SOCKET})`)
    .option('--no-pin', 'pin nothing, because the node keeps these images in another way')
    .addHelpText('after', help)
    .action(async (solution: string, options: Options) => {
      const session = commandSession(io, options);
      requirePlanOrRun(options);
      const url = registryUrl(options.registry);
      const registries = registryConnections(io, options, session.flow, new URL(url).host);
      const asked = await requestOf(io, options, registries.connect);
      const kubeconfig = clusterAccess(io, options.kubeconfig);
      const { forceConflicts = false } = options;
      const removal = 1000 * duration(options.timeout, '--timeout');
      const request = {
        ...asked,
        hostsDir: absolute(io, options.hostsDir),
        cluster: await kubernetesTarget({ kubeconfig, env: ownEnvironment(io), forceConflicts, removal }),
        delivery: await handedOver(io, { solution, url, patience: removal }, options, session.flow),
      };
      const work = async (): Promise<void> => {
        if (!options.plan) {
          printResult(session, options, 'install', await install(request, session.flow), (result, style) =>
            installView(result, style, { lists: options.all === true }),
          );
          return;
        }
        const plan = await foreseeInstall(request, session.flow);
        printResult(session, options, 'install-plan', plan, installPlanView);
      };
      await lend(request.cluster, work).finally(registries.close);
    });
}

/** Returns how images get to the registry in the cluster, and how its own stay on this node. Throws `usage-invalid`. */
async function handedOver(
  io: Io,
  registry: { readonly solution: string; readonly url: string; readonly patience: number },
  options: Options,
  flow: Flow,
): Promise<ImageDelivery> {
  const besides = await placeBesides(io, options);
  const place = besides?.isList ? undefined : besides?.place;
  if (place !== undefined && typeof options.pin === 'string') {
    const hint = 'leave it out: that place keeps them';
    throw usage('--pin', `keeps the images of ${registry.solution} in another way than ${place.way}`, hint);
  }
  const isPinned = place === undefined && options.pin !== false;
  const containerd = isPinned ? absolute(io, options.pin || SOCKET) : undefined;
  const access = await registryOptions(io, options, flow, new URL(registry.url).host);
  const delivery = await seededRegistry({ ...registry, options: access, containerd, place });
  return besides?.isList ? alsoListed(delivery, besides.place, true) : delivery;
}

const SOCKET = '/run/containerd/containerd.sock';

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack install -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --served-at http://127.0.0.1:5000 --hosts-dir /etc/containerd/certs.d
  $ solpack seed registry -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --registry http://127.0.0.1:30500 --hosts-dir /etc/containerd/certs.d
  $ solpack seed registry -f solutions.yaml --key release.pub --kubeconfig admin.conf \\
      --registry http://127.0.0.1:30500 --hosts-dir /etc/containerd/certs.d --image-folder k3s
  $ systemctl disable --now solpack-serve`;
