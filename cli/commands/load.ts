import { Command } from 'commander';
import { type ClusterTarget, directoryTarget, duration, kubernetesTarget, lend, load } from '../../lib/index.ts';
import { absolute, repeated, usage, variableSettings } from '../arguments.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { printResult } from '../output.ts';
import { type CommonOptions, commandSession } from '../session.ts';

interface Options extends CommonOptions {
  readonly kubeconfig?: string;
  readonly render?: string;
  readonly variable?: string[];
  readonly name?: string;
  readonly retryFor?: string;
  readonly keepGoing?: boolean;
  readonly allowEmpty?: boolean;
  readonly timeout: string;
  readonly forceConflicts?: boolean;
}

/** Makes the command `solpack load`. */
export function loadCommand(io: Io): Command {
  return new Command('load')
    .summary('bring up a components.d folder of kustomizations and plugins')
    .description(
      'Brings up the components of a folder in byte order of their names: kustomizations, and plugins that print\n' +
        'objects. Every plugin is asked for its version first, then all are rendered, then all is applied at once, as\n' +
        'one Solution: what an earlier load brought, and the folder no longer has, is removed.',
    )
    .argument('<dir>', 'the folder that holds the folders of the components')
    .option('--kubeconfig <file>', 'apply to the cluster of this kubeconfig, and wait until all is ready')
    .option('--render <dir>', 'write the rendered objects below this folder, in order')
    .option(
      '--variable <name=value>',
      'tell plugins of the node; may be repeated; lists are joined by commas',
      repeated,
    )
    .option('--name <name>', "the Solution's name (default: the folder's, such as components-d)")
    .option('--retry-for <duration>', 'run a plugin again, every 5 s, while its precondition is unmet (default: once)')
    .option('--keep-going', 'bring up the other components where one fails; nothing is removed then')
    .option('--allow-empty', 'remove all that an earlier load brought where the folder holds no component')
    .option(
      '--timeout <duration>',
      'how long a component may take to become ready, and what is removed to be gone',
      '5m',
    )
    .option('--force-conflicts', 'take over fields that others have set')
    .addHelpText('after', help)
    .action(async (dir: string, options: Options) => {
      const session = commandSession(io, options);
      const { loadView } = await import('../view/load.ts');
      const request = {
        folder: absolute(io, dir),
        cluster: await target(io, options),
        name: options.name,
        variables: variableSettings(options.variable ?? []),
        retryFor: options.retryFor === undefined ? 0 : 1000 * duration(options.retryFor, '--retry-for'),
        keepGoing: options.keepGoing ?? false,
        allowEmpty: options.allowEmpty ?? false,
        timeout: 1000 * duration(options.timeout, '--timeout'),
      };
      const { failure, ...result } = await lend(request.cluster, () => load(request, session.flow));
      printResult(session, options, 'load', result, loadView);
      if (failure) throw failure;
    });
}

async function target(
  io: Io,
  { kubeconfig, render, timeout, forceConflicts = false }: Options,
): Promise<ClusterTarget> {
  if (kubeconfig !== undefined && render === undefined) {
    const removal = 1000 * duration(timeout, '--timeout');
    const env = ownEnvironment(io);
    return kubernetesTarget({ kubeconfig: absolute(io, kubeconfig), env, forceConflicts, removal });
  }
  if (forceConflicts) throw usage('--force-conflicts', 'is for a cluster', 'leave it out, or give --kubeconfig alone');
  if (render !== undefined && kubeconfig === undefined) return directoryTarget(absolute(io, render));
  throw usage('load', 'needs one place for the objects', 'give either --kubeconfig or --render');
}

const help = `
A folder of components:
  components.d/
    010-base/kustomization.yaml   built as "kubectl kustomize" builds it
    020-motd/plugin               executable; "plugin run" prints objects

Examples:
  $ solpack load components.d --render rendered
  $ solpack load components.d --kubeconfig admin.conf --variable MICROSHIFT_BASEDOMAIN=example.com --retry-for 2m`;
