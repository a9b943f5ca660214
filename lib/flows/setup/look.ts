import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { codeOf, type Flow, findInstalled } from '../../kernel/events/index.ts';
import { freeSpaceFor, isThere } from '../../kernel/machine/index.ts';
import { type ContainerdMirrors, containerdMirrors } from './containerd-config.ts';
import type { FoundKubernetes, FoundProgram, FoundRuntime, KubernetesDistribution, Machine } from './machine.ts';
import { registriesFile, registriesIn } from './rancher.ts';
import { runtimeVersion } from './runtime-version.ts';
import { whyNoSocket } from './socket.ts';
import { stoppedRuntime } from './stopped-runtime.ts';

/** Files and folders that tell a distribution, and its administrator's kubeconfig. */
interface Layout {
  readonly distribution: KubernetesDistribution;
  readonly signs: readonly string[];
  readonly kubeconfig: string;
}

const KUBEADM = '/etc/kubernetes/admin.conf';

/** The first that fits counts: what builds on another one stands before it. */
const layouts: readonly Layout[] = [
  { distribution: 'metalk8s', signs: ['/etc/metalk8s'], kubeconfig: KUBEADM },
  {
    distribution: 'microshift',
    signs: ['/var/lib/microshift', '/etc/microshift'],
    kubeconfig: '/var/lib/microshift/resources/kubeadmin/kubeconfig',
  },
  {
    distribution: 'rke2',
    signs: ['/etc/rancher/rke2/rke2.yaml', '/var/lib/rancher/rke2'],
    kubeconfig: '/etc/rancher/rke2/rke2.yaml',
  },
  {
    distribution: 'k3s',
    signs: ['/etc/rancher/k3s/k3s.yaml', '/var/lib/rancher/k3s'],
    kubeconfig: '/etc/rancher/k3s/k3s.yaml',
  },
  { distribution: 'k0s', signs: ['/var/lib/k0s'], kubeconfig: '/var/lib/k0s/pki/admin.conf' },
  { distribution: 'kubeadm', signs: [KUBEADM, '/etc/kubernetes/kubelet.conf'], kubeconfig: KUBEADM },
];

const CONTAINERD = '/run/containerd/containerd.sock';
/** That of k3s and RKE2. */
const RANCHER = '/run/k3s/containerd/containerd.sock';

const sockets = [
  ['containerd', CONTAINERD],
  ['containerd', RANCHER],
  ['containerd', '/run/k0s/containerd.sock'],
  ['cri-o', '/run/crio/crio.sock'],
] as const;

/** Those that a kubelet uses which brings no runtime of its own. */
const plain = new Map<string, string>([sockets[0], sockets[3]]);

/**
 * Looks at a machine: which Kubernetes it has, which container runtimes, which programs. It reads files, tries whether
 * somebody listens at a socket, asks no server, and changes nothing. `root` is the folder in which the machine's files
 * lie; left out, `/`.
 */
export async function lookAtMachine(flow: Flow, root: string = '/'): Promise<Machine> {
  const free = freeSpaceFor(join(root, 'var/lib'));
  const kubernetes = await kubernetesIn(root);
  const runtimes = await runtimesIn(root, kubernetes.distribution, flow);
  const running = new Set(runtimes.map(({ kind }) => kind));
  // The others bring a containerd of their own, and no service of that name.
  const isPlain = ['kubeadm', 'metalk8s', 'microshift'].includes(kubernetes.distribution);
  const stopped = isPlain ? await stoppedRuntime(root, running, plain) : undefined;
  return {
    kubernetes,
    runtimes,
    ...(stopped === undefined ? {} : { stopped }),
    programs: await programsIn(flow),
    // As sd_booted(3) decides it.
    systemd: await isThere(join(root, 'run/systemd/system')),
    ...addressesHere(),
    ...(free === undefined ? {} : { free }),
  };
}

function addressesHere(): Pick<Machine, 'addresses'> {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const addresses = all.filter(({ internal }) => !internal).map(({ address }) => address);
  return addresses.length === 0 ? {} : { addresses };
}

async function kubernetesIn(root: string): Promise<FoundKubernetes> {
  for (const { distribution, signs, kubeconfig } of layouts) {
    for (const sign of signs) {
      if (!(await isThere(join(root, sign)))) continue;
      const hasAdmin = await isThere(join(root, kubeconfig));
      return { distribution, sign, ...(hasAdmin ? { kubeconfig } : {}) };
    }
  }
  return { distribution: 'none' };
}

async function runtimesIn(root: string, distribution: KubernetesDistribution, flow: Flow): Promise<FoundRuntime[]> {
  const found: FoundRuntime[] = [];
  for (const [kind, at] of sockets) {
    // One that was killed leaves its socket behind. Where this user alone is refused, somebody may well listen.
    const why = await whyNoSocket(join(root, at), flow.signal);
    if (why !== undefined && !['EACCES', 'EPERM'].includes(codeOf(why) ?? '')) continue;
    const { hostsDir, mirrors } = await pullsAt(root, at, distribution);
    const mirror = mirrors.find(({ registry }) => registry === '*')?.server;
    const version = await runtimeVersion(kind, at, flow);
    found.push({
      kind,
      at,
      ...(version === undefined ? {} : { version }),
      ...(hostsDir === undefined ? {} : { hostsDir }),
      ...(mirror === undefined ? {} : { mirror }),
      ...(mirrors.length === 0 ? {} : { mirrors }),
    });
  }
  const podman = await findInstalled(flow.host, 'podman');
  if (podman === undefined) return found;
  const version = await runtimeVersion('podman', podman, flow);
  return [...found, { kind: 'podman', at: podman, ...(version === undefined ? {} : { version }) }];
}

/** Where the runtime at a socket pulls from. What k3s and RKE2 bring is configured by a file of their own. */
async function pullsAt(root: string, at: string, distribution: KubernetesDistribution): Promise<ContainerdMirrors> {
  if (at === CONTAINERD) return containerdMirrors(root);
  const file = at === RANCHER ? registriesFile(distribution) : undefined;
  return { mirrors: file === undefined ? [] : await registriesIn(root, file) };
}

async function programsIn(flow: Flow): Promise<FoundProgram[]> {
  const found: FoundProgram[] = [];
  for (const name of ['helm', 'kubectl', 'ctr', 'skopeo'] as const) {
    const path = await findInstalled(flow.host, name);
    const isBeside = path !== undefined && !flow.host.path.includes(dirname(path));
    found.push({ name, ...(path === undefined ? {} : { path }), ...(isBeside ? { beside: true } : {}) });
  }
  return found;
}
