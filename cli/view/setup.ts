import { sizeWords } from '../../lib/command.ts';
import type { ChosenWay, Machine, SetupStep } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import { type Style, table } from './style.ts';

/** What `solpack setup` tells. */
export interface ShownSetup {
  readonly machine?: Machine;
  readonly nodes?: number;
  readonly kubeconfig?: string;
  readonly profile: string;
  readonly images?: ChosenWay;
  /** The command that lets another node pull from here. */
  readonly join?: string;
  readonly steps: readonly SetupStep[];
}

const distributions: Readonly<Record<Machine['kubernetes']['distribution'], string>> = {
  metalk8s: 'MetalK8s',
  microshift: 'MicroShift',
  rke2: 'RKE2',
  k3s: 'k3s',
  k0s: 'k0s',
  kubeadm: 'Kubernetes, as kubeadm installs it',
  none: 'none: this machine only packs',
};

/** Describes what was found, and what is done, for a person. */
export function setupView({ machine, nodes, kubeconfig, images, join, steps }: ShownSetup, style: Style): string[] {
  const open = steps.filter(({ state }) => state !== 'there');
  const isBack = steps.some(({ state }) => ['to take back', 'taken back', 'kept'].includes(state));
  const isDone = open.length === 0 || open.every(({ state }) => state === 'done');
  return [
    ...(machine === undefined ? [] : [style.bold('this machine'), ...table(machineRows(machine, nodes, kubeconfig))]),
    ...(images === undefined ? [] : [`${style.bold('images')} ${wayWords(images)}`, `  ${plain(images.reason)}`]),
    ...table(open.map((step) => [stateWords(step, style), plain(step.subject), plain(step.what)])),
    ...(open.length === 0 ? [nothingWords(machine)] : []),
    ...(steps.some(isStore) ? ['CRI-O reads the store after a restart: systemctl restart crio'] : []),
    ...steps.filter(isRegistries).map(({ subject }) => restartWords(subject, kubeconfig === undefined)),
    ...(isDone && !isBack && machine !== undefined
      ? join === undefined
        ? [`next: ${nextWords(machine, kubeconfig, nodes, images)}`]
        : joinLines(join, nodes)
      : []),
  ];
}

function nothingWords(machine: Machine | undefined): string {
  return machine === undefined
    ? 'nothing to take back: "solpack setup" has done nothing here'
    : 'nothing to do: everything is set up';
}

function isStore({ what, state }: SetupStep): boolean {
  return what.startsWith('storage.options.') && state === 'done';
}

function isRegistries({ subject, state }: SetupStep): boolean {
  return subject.endsWith('/registries.yaml') && state === 'done';
}

/** k3s and RKE2 read the file when they start. */
function restartWords(path: string, isWorker: boolean): string {
  const [name, unit] = path.includes('/rke2/')
    ? ['RKE2', isWorker ? 'rke2-agent' : 'rke2-server']
    : ['k3s', isWorker ? 'k3s-agent' : 'k3s'];
  return `${name} reads ${plain(path)} once it was restarted: systemctl restart ${unit}`;
}

/** Other nodes ask the serve which registries it has images of, so it needs the archive first. */
function joinLines(join: string, nodes = 2): string[] {
  const folder = /--ca-file (\S+)\/ca\.pem/.exec(join)?.[1] ?? '';
  const others = nodes === 2 ? 'the other node' : `each of the other ${nodes - 1} nodes`;
  return [
    `next: solpack import ARCHIVE; copy ${plain(folder)} to ${others}; there and here`,
    `  ${plain(join)}`,
    '  and then, here alone: solpack install',
  ];
}

function nextWords(
  { kubernetes }: Machine,
  kubeconfig: string | undefined,
  nodes: number | undefined,
  images: ChosenWay | undefined,
): string {
  if (kubernetes.distribution === 'none')
    return 'solpack init, solpack keygen -o release, solpack pack --sign release.key';
  const isOwn = images !== undefined && ['containerd', 'image-folder', 'image-store'].includes(images.chosen.way);
  if (kubeconfig !== undefined && isOwn && nodes !== undefined && nodes > 1) {
    const others = nodes === 2 ? 'on the other node' : `on each of the other ${nodes - 1} nodes`;
    return `${others}, solpack setup and solpack install ARCHIVE --images-only; then here, solpack install ARCHIVE`;
  }
  if (kubeconfig !== undefined) return 'solpack install ARCHIVE';
  return 'solpack install ARCHIVE --images-only, because this node has no kubeconfig of an administrator';
}

function machineRows(
  { kubernetes, runtimes, stopped, programs, systemd, free }: Machine,
  nodes: number | undefined,
  kubeconfig: string | undefined,
): string[][] {
  const { distribution, sign } = kubernetes;
  const cluster = [kubeconfig ?? sign, nodes === undefined ? undefined : count(nodes, 'node')].filter(
    (one) => one !== undefined,
  );
  return [
    ['  kubernetes', [distributions[distribution], ...cluster.map(plain)].join(', ')],
    ...runtimes.map(({ kind, at, version, hostsDir }) => [
      `  ${kind}`,
      plain([version, at, hostsDir && `mirrors in ${hostsDir}`].filter((one) => one).join(', ')),
    ]),
    ...runtimes.flatMap(({ mirrors = [] }) =>
      mirrors.map(({ registry, server, path }) => [
        '  registry',
        plain(`${server} for ${registry === '*' ? 'all images' : registry}, as ${path} says`),
      ]),
    ),
    ...(stopped === undefined ? [] : [[`  ${stopped.kind}`, `does not run; ${stopped.start}`]]),
    ...programs
      .filter(({ name, path }) => path !== undefined || name === 'helm' || name === 'kubectl')
      .map((program) => [`  ${program.name}`, programWords(program)]),
    ['  systemd', systemd ? 'runs' : 'does not run'],
    ...(free === undefined ? [] : [['  free', `${sizeWords(free)} for /var/lib`]]),
  ];
}

function programWords({ path, beside, medium }: Machine['programs'][number]): string {
  if (path !== undefined) return beside ? `${plain(path)}, beside solpack` : plain(path);
  if (medium !== undefined) return `${plain(medium.path)} in ${plain(medium.archive)}, which installs use from there`;
  return 'neither on PATH nor on a medium here; archives may include it';
}

function wayWords({ chosen }: ChosenWay): string {
  switch (chosen.way) {
    case 'serve':
      return `come by "solpack serve", as a service at ${chosen.address}`;
    case 'shared':
      return `come by "solpack serve", with TLS and a password, as a service at ${plain(chosen.address)}`;
    case 'served':
      return `come by the "solpack serve" at ${plain(chosen.address)}`;
    case 'registry':
      return `are pushed to ${plain(chosen.address)}`;
    case 'image-folder':
      return `are put into the folder of ${plain(nameOf(chosen.distribution))}`;
    case 'containerd':
      return `are imported into the containerd at ${plain(chosen.socket)}`;
    case 'image-store':
      return `are put into the store ${plain(chosen.folder)}`;
  }
}

function nameOf(distribution: string): string {
  return new Map<string, string>(Object.entries(distributions)).get(distribution) ?? distribution;
}

function stateWords({ state, kind }: SetupStep, style: Style): string {
  if (state === 'done' || state === 'taken back') return style.good(state);
  if (state !== 'kept') return state;
  return style.bad(kind === 'folder' ? 'kept: it is not empty' : 'kept: somebody has changed it');
}
