import { Command, Option } from 'commander';
import {
  agentCluster,
  configuredServers,
  duration,
  embeddedRegistry,
  gatheringTarget,
  kubernetesTarget,
  renderedText,
} from '../../lib/command.ts';
import {
  type AgentInstall,
  type AgentRequest,
  type Flow,
  type FollowedSource,
  foreseeInstall,
  type InstallRequest,
  install,
  lend,
  runAgent,
  SolpackError,
} from '../../lib/index.ts';
import { type BroughtBy, type ManifestOptions, manifestFlags, printedManifests } from '../agent-manifests.ts';
import { absolute, listenAddress, usage } from '../arguments.ts';
import { hasLastingPlace, imageDelivery } from '../image-delivery.ts';
import { clusterAccess } from '../in-cluster.ts';
import { bringFlags } from '../install-flags.ts';
import { type InstallOptions, requestOf, trusting } from '../install-request.ts';
import { type Io, ownEnvironment } from '../io.ts';
import { plainHttpOption, registryConnections, registryEnvironment, registryFlags } from '../registry.ts';
import { commandSession } from '../session.ts';

interface Options extends Omit<InstallOptions, 'configuration'>, ManifestOptions {
  readonly configMap?: string;
  readonly archives?: string;
  readonly every: string;
  readonly lease: string;
  readonly probes?: string;
}

/** Makes the command `solpack agent`. */
export function agentCommand(io: Io): Command {
  const command = new Command('agent')
    .summary('follow a SolutionsConfiguration in the cluster, and heal drift')
    .description(
      'Runs in a cluster and follows a SolutionsConfiguration there: the custom resource of that name, or a ' +
        'ConfigMap that holds one. Installs each change of it as "solpack install" does, and reverts within ' +
        'seconds what somebody changes or deletes. Of several replicas, one works. Its status and Events report ' +
        'the state. It ignores an invalid configuration, and runs until SIGTERM.',
    )
    .argument('[name]', 'the SolutionsConfiguration (default: "default")')
    .optionsGroup('What:')
    .option('--config-map <namespace/name>', 'follow this ConfigMap instead of a custom resource')
    .option(
      '--archives <dir>',
      'where relative paths of the configuration begin (default: the working directory), and files that it may name',
    )
    .addOption(
      new Option(
        '--approve <how>',
        'manual: put each plan into the status, and carry out only what "solpack approval" approves',
      )
        .choices(['auto', 'manual'])
        .default('auto'),
    )
    .option('--every <duration>', 'check all objects at least this often, even without events', '5m')
    .option('--lease <namespace/name>', 'the Lease by which one replica is chosen', 'solpack-agent/solpack-agent')
    .option('--probes <address>', 'answer /healthz, /readyz and /metrics at this HOST:PORT, or at :PORT everywhere');
  bringFlags(command);
  manifestFlags(command);
  return registryFlags(command.addOption(plainHttpOption()), true)
    .addHelpText('after', help)
    .action(async (name: string | undefined, options: Options) => {
      const session = commandSession(io, options);
      // A repair moves no image.
      if (!options.manifests || options.part !== 'repair') requirePullable(options);
      requireApprovable(options);
      if (options.manifests) {
        const source = sourceOf(name, options.configMap);
        const version = command.parent?.version() ?? '';
        const brought = await broughtBy(io, options, session.flow);
        const objects = await printedManifests(io, options, source, version, brought, name);
        session.progress.end();
        io.stdout.write(await renderedText({ components: [{ objects }] }));
        return;
      }
      const request = await agentRequest(io, name, options);
      session.progress.endure();
      await runAgent(request, session.flow).catch((error) => {
        // To be ended is how it ends.
        if (!io.signal.aborted || io.signal.reason instanceof SolpackError) throw error;
      });
      session.progress.end();
    });
}

async function agentRequest(io: Io, name: string | undefined, options: Options): Promise<AgentRequest> {
  const { kubeconfig } = options;
  if (kubeconfig === undefined) throw usage('--kubeconfig', 'is needed outside of a Pod', 'name the kubeconfig');
  const access = { kubeconfig: clusterAccess(io, kubeconfig), env: ownEnvironment(io) };
  const { forceConflicts = false, timeout, probes } = options;
  const removal = 1000 * duration(timeout, '--timeout');
  const target: AgentRequest['target'] = () => kubernetesTarget({ ...access, forceConflicts, removal });
  const folder = absolute(io, options.archives ?? '.');
  // Whoever names the folder of the archives lets them be named.
  const allowed = [...(options.archives === undefined ? [] : [folder]), ...(options.allowFiles ?? [])];
  const asking = async <T>(
    given: AgentInstall,
    flow: Flow,
    work: (request: InstallRequest) => Promise<T>,
  ): Promise<T> => {
    const registries = registryConnections(io, options, flow, deliveredTo(options));
    try {
      const configured = { ...options, configuration: given.configuration, allowFiles: allowed };
      const asked = await requestOf(io, configured, registries.connect, true);
      const hostsDir = options.hostsDir === undefined ? undefined : absolute(io, options.hostsDir);
      const delivery = await imageDelivery(io, options, flow);
      return await lend(await target(), (cluster) =>
        // A Pod has a name and an address of its own, and the agent is now on this node and now on that one.
        work({ ...asked, ...given, hostsDir, delivery, cluster, isNode: false, through: true }),
      );
    } finally {
      await registries.close();
    }
  };
  return {
    source: sourceOf(name, options.configMap),
    lease: namespaced('--lease', options.lease),
    folder,
    cluster: await agentCluster(access),
    target,
    install: (given, flow) =>
      asking(given, flow, async (request) => {
        await install(request, flow);
      }),
    ...(options.approve === 'manual' && {
      plan: (given, like, flow) => asking(given, flow, (request) => foreseeInstall(request, flow, like)),
    }),
    trust: () => trusting(io, options),
    every: 1000 * duration(options.every, '--every'),
    probes: probes === undefined ? undefined : probesAt(probes),
  };
}

/**
 * Refuses to ask about a ConfigMap: rights to create ConfigMaps are for all names, so that whoever may write that one
 * could approve as well.
 */
function requireApprovable({ approve, configMap, part }: Options): void {
  if (approve !== 'manual') return;
  if (configMap !== undefined) {
    const hint = 'follow a custom resource: rights to it and to its approval are two things';
    throw usage('--approve', 'is not for a ConfigMap', hint);
  }
  if (part !== 'agent') throw usage('--approve', `is not for the part ${part}`, 'leave it out');
}

function sourceOf(name: string | undefined, configMap: string | undefined): FollowedSource {
  if (configMap === undefined) return { kind: 'custom-resource', name: name ?? 'default' };
  if (name === undefined) return { kind: 'config-map', ...namespaced('--config-map', configMap) };
  throw usage('--config-map', `names what to follow, and so does ${name}`, 'give one of them');
}

function namespaced(option: string, value: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = '', ...more] = value.split('/');
  if (namespace !== '' && name !== '' && more.length === 0) return { namespace, name };
  throw usage(option, `${JSON.stringify(value)} is not NAMESPACE/NAME`, 'write it so');
}

function probesAt(value: string): AgentRequest['probes'] {
  const { host, port } = listenAddress(value);
  return { host: value.startsWith(':') ? undefined : host, port };
}

/**
 * Renders what the configuration of `-f` brings, which is a file of whoever prints; undefined where none is given.
 * Whose signatures count is for the Pod to decide.
 */
async function broughtBy(io: Io, options: Options, flow: Flow): Promise<BroughtBy | undefined> {
  const { configuration, key: _, policy: __, kubeconfig: ___, ...rest } = options;
  if (configuration === undefined) return undefined;
  const registries = registryConnections(io, options, flow);
  try {
    const { target: cluster, objects, probes } = await gatheringTarget();
    const asked = await requestOf(io, { ...rest, configuration, insecureSkipVerify: true }, registries.connect);
    const request = { ...asked, grants: undefined };
    const delivery = await embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false });
    await foreseeInstall({ ...request, delivery, hostsDir: undefined, cluster }, flow);
    return { objects, probes, servers: await configuredServers(absolute(io, configuration)) };
  } finally {
    await registries.close();
  }
}

function requirePullable(options: Options): void {
  if (hasLastingPlace(options)) return;
  const hint = 'give --registry, --served-at, --image-folder, --containerd, --image-store or --hosts-dir';
  throw usage('agent', 'needs a place that nodes can pull images from', hint);
}

/** The registry that images go to, which a login is for. */
function deliveredTo({ registry, servedAt }: Pick<InstallOptions, 'registry' | 'servedAt'>): string | undefined {
  const url = registry ?? servedAt;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
}

const help = `
Environment:
${registryEnvironment}

Examples:
  $ solpack agent edge --policy /etc/solpack/trust.toml --registry https://registry.example.com
  $ solpack agent --config-map solpack-agent/solutions --key release.pub --served-at http://127.0.0.1:5000 \\
      --hosts-dir /etc/containerd/certs.d --kubeconfig admin.conf`;
