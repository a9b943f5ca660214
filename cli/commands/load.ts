import { Command } from 'commander';
import { directoryTarget, duration, kubernetesTarget } from '../../lib/command.ts';
import { type ClusterTarget, foreseeLoad, lend, load } from '../../lib/index.ts';
import { absolute, repeated, usage, variableSettings } from '../arguments.ts';
import { clusterAccess } from '../in-cluster.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { type LoadImageOptions, loadImageFlags, loadImages } from '../load-images.ts';
import { OUTPUT } from '../option-groups.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

interface Options extends CommonOptions, LoadImageOptions {
  readonly kubeconfig?: string;
  readonly render?: string;
  readonly variable?: string[];
  readonly name?: string;
  readonly retryFor?: string;
  readonly keepGoing?: boolean;
  readonly allowEmpty?: boolean;
  readonly timeout: string;
  readonly forceConflicts?: boolean;
  readonly plan?: boolean;
  readonly waitForCluster?: boolean;
  readonly waitAtMost?: string;
}

/** Makes the command `solpack load`. */
export function loadCommand(io: Io): Command {
  const command = new Command('load')
    .summary('apply components.d folders of kustomizations and plugins')
    .description(
      'Applies the components of folders in byte order of their names, folder after folder: kustomizations, and ' +
        'plugins that print objects. Every plugin is asked for its version first, then all are rendered, then all ' +
        'are applied at once, as one Solution: what an earlier load applied, and no folder has any longer, is ' +
        'removed.',
    )
    .argument('<dir...>', 'the folders that hold the folders of the components, in their order');
  return loadImageFlags(loadFlags(command))
    .optionsGroup(OUTPUT)
    .option('--render <dir>', 'write the rendered objects below this folder, in order')
    .option('--plan', 'print what the load would do, and do nothing')
    .addHelpText('after', help)
    .action(async (folders: string[], options: Options) => {
      const session = commandSession(io, options);
      const { loadView } = await import('../view/load.ts');
      const request = {
        folders: folders.map((folder) => absolute(io, folder)),
        cluster: await target(io, options),
        name: options.name,
        variables: variableSettings(options.variable ?? []),
        retryFor: options.retryFor === undefined ? 0 : 1000 * duration(options.retryFor, '--retry-for'),
        keepGoing: options.keepGoing ?? false,
        allowEmpty: options.allowEmpty ?? false,
        timeout: 1000 * duration(options.timeout, '--timeout'),
        ...waiting(options),
      };
      const { images, close } = await loadImages(io, options, session.flow);
      const asked = { ...request, ...(images && { images }) };
      if (options.plan) {
        const { installPlanView } = await import('../view/install-plan.ts');
        const plan = await lend(request.cluster, () => foreseeLoad(asked, session.flow)).finally(close);
        return printResult(session, options, 'install-plan', plan, installPlanView);
      }
      const { failure, ...result } = await lend(request.cluster, () => load(asked, session.flow)).finally(close);
      printResult(session, options, 'load', result, loadView);
      if (failure) throw failure;
    });
}

/** Adds the options of `load` but those about images. */
function loadFlags(command: Command): Command {
  return command
    .optionsGroup('What:')
    .option('--kubeconfig <file>', 'apply to the cluster of this kubeconfig, and wait until all is ready')
    .option(
      '--variable <name=value>',
      'set a variable of the node for plugins; may be repeated; lists are joined by commas (default: as node and cluster report)',
      repeated,
    )
    .option('--name <name>', "the Solution's name (default: the first folder's, such as components-d)")
    .option('--wait-for-cluster', 'first wait until the API server answers and is ready, however long that takes')
    .option('--wait-at-most <duration>', 'how long --wait-for-cluster waits before it gives up')
    .option('--retry-for <duration>', 'run a plugin again, every 5 s, while its precondition is unmet (default: once)')
    .option('--keep-going', 'apply the other components even if one fails; then nothing is removed')
    .option('--allow-empty', 'remove what an earlier load applied from a folder that now holds no component')
    .option(
      '--timeout <duration>',
      'how long a component may take to become ready, and a removed object to be gone',
      '5m',
    )
    .option('--force-conflicts', 'take over fields that others have set');
}

async function target(
  io: Io,
  { kubeconfig, render, timeout, forceConflicts = false }: Options,
): Promise<ClusterTarget> {
  if (kubeconfig !== undefined && render === undefined) {
    const removal = 1000 * duration(timeout, '--timeout');
    const env = ownEnvironment(io);
    return kubernetesTarget({ kubeconfig: clusterAccess(io, kubeconfig), env, forceConflicts, removal });
  }
  if (forceConflicts) throw usage('--force-conflicts', 'is for a cluster', 'leave it out, or give --kubeconfig alone');
  if (render !== undefined && kubeconfig === undefined) return directoryTarget(absolute(io, render));
  throw usage('load', 'needs one place for the objects', 'give either --kubeconfig or --render');
}

/** Returns for how long the cluster is waited for, if at all. Throws `usage-invalid`. */
function waiting({ waitForCluster, waitAtMost, kubeconfig }: Options): { readonly waitForCluster?: number } {
  if (waitForCluster && kubeconfig === undefined) {
    throw usage('--wait-for-cluster', 'is for a cluster', 'leave it out, or give --kubeconfig');
  }
  if (waitForCluster) {
    const most = waitAtMost === undefined ? Number.POSITIVE_INFINITY : 1000 * duration(waitAtMost, '--wait-at-most');
    return { waitForCluster: most };
  }
  if (waitAtMost === undefined) return {};
  throw usage('--wait-at-most', 'sets how long --wait-for-cluster waits', 'give both, or none');
}

const help = `
A folder of components:
  components.d/
    010-base/kustomization.yaml   built as "kubectl kustomize" builds it
    020-motd/plugin               executable; "plugin run" prints objects

Examples:
  $ solpack load components.d --render rendered
  $ solpack load /usr/lib/edge/components.d /etc/edge/components.d --kubeconfig admin.conf --wait-for-cluster
  $ solpack load components.d --kubeconfig admin.conf --images edge.iso --key release.pub --registry http://127.0.0.1:5000
  $ solpack load components.d --kubeconfig admin.conf --variable MICROSHIFT_BASEDOMAIN=example.com --retry-for 2m`;
