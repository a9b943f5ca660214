import { chooseWay, SERVE, sharedServe } from '../lib/command.ts';
import type { ChosenWay, ImageWay, Machine, Profile } from '../lib/index.ts';
import { absolute, registryUrl, usage } from './arguments.ts';
import type { Io } from './io.ts';

/** The options of `solpack setup` that say how images get to nodes. */
export interface SetupWayOptions {
  readonly serve?: boolean;
  readonly servedAt?: string;
  readonly registry?: string;
  readonly containerd?: string;
  readonly imageFolder?: string;
  readonly imageStore?: string;
  readonly hostsDir?: string;
}

/** What is known of the nodes of a cluster: how many there are, and by which addresses they reach each other. */
interface KnownNodes {
  readonly count: number | undefined;
  readonly addresses: readonly string[];
}

/** How images get to nodes; undefined where the profile says it, and no flag says otherwise. Throws `usage-invalid`. */
export async function setupWay(
  io: Io,
  options: SetupWayOptions,
  profile: Profile | undefined,
  machine: Machine,
  nodes: KnownNodes,
): Promise<ChosenWay | undefined> {
  const asked = await askedWay(io, options, machine, nodes);
  if (asked !== undefined) return { chosen: asked, reason: 'The command line says so.' };
  const isSaid = [...(profile?.settings.keys() ?? [])].some(
    (key) => key.startsWith('images.') && key !== 'images.hosts-dir',
  );
  if (isSaid) return undefined;
  requireRuntime(machine);
  const chosen = await chooseWay(machine, nodes.count, nodes.addresses);
  if (chosen !== undefined) return chosen;
  const hint =
    'start it and run the same command again, or set how images get to nodes: --registry URL, --containerd SOCKET';
  throw usage('setup', 'finds no container runtime that listens on this machine', hint);
}

/**
 * Throws `usage-invalid` where the runtime of the kubelet does not run: what it would propose is another way for
 * images.
 */
function requireRuntime({ stopped }: Machine): void {
  if (stopped === undefined) return;
  const { kind, at, start } = stopped;
  throw usage(
    'setup',
    `finds that ${kind}, which runs the Pods of this node, does not run: nothing listens at ${at}`,
    `${start}, and run the same command again; or set how images get to nodes, such as by --registry URL`,
  );
}

async function askedWay(
  io: Io,
  options: SetupWayOptions,
  machine: Machine,
  { count = 1, addresses }: KnownNodes,
): Promise<ImageWay | undefined> {
  const { runtimes, systemd } = machine;
  const { serve, servedAt, registry, containerd, imageFolder, imageStore } = options;
  const given = Object.entries({ serve, servedAt, registry, containerd, imageFolder, imageStore }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) throw usage('setup', 'is given several ways for images', 'give one of them');
  const isOwn = ['k3s', 'rke2', 'k0s'].includes(machine.kubernetes.distribution);
  // These make the configuration of their containerd themselves, and would write it anew.
  const found = isOwn ? undefined : runtimes.find(({ kind }) => kind === 'containerd')?.hostsDir;
  const hostsDir = options.hostsDir === undefined ? found : absolute(io, options.hostsDir);
  const mirrored = hostsDir === undefined ? {} : { hostsDir };
  if (serve) {
    if (!systemd) throw usage('--serve', 'needs systemd, which does not run here', 'choose another way for images');
    const shared = count > 1 && !isOwn ? await sharedServe(machine, addresses) : undefined;
    if (hostsDir !== undefined && shared !== undefined) return { way: 'shared', address: shared, hostsDir };
    if (hostsDir !== undefined || isOwn) return { way: 'serve', address: SERVE, ...mirrored };
    requireRuntime(machine);
    throw usage(
      '--serve',
      'finds no folder for mirrors in the configuration of containerd',
      'set config_path, or give --hosts-dir',
    );
  }
  if (servedAt !== undefined) return { way: 'served', address: registryUrl(servedAt), ...mirrored };
  if (registry !== undefined) return { way: 'registry', address: registryUrl(registry), ...mirrored };
  if (containerd !== undefined) return { way: 'containerd', socket: absolute(io, containerd) };
  if (imageFolder !== undefined) return { way: 'image-folder', distribution: imageFolder };
  return imageStore === undefined ? undefined : { way: 'image-store', folder: absolute(io, imageStore) };
}
