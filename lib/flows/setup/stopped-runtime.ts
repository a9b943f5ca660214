import { join } from 'node:path';
import { readFile } from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';

/** A container runtime that the kubelet of a machine uses, and that does not run. */
export interface StoppedRuntime {
  readonly kind: 'containerd' | 'cri-o';
  /** The socket at which nobody listens. */
  readonly at: string;
  /** The command that starts it. */
  readonly start: string;
}

/** Where kubelet finds which runtime to use: by its configuration, or by the flags that kubeadm writes. */
const settingsFiles = ['kubeadm-flags.env', 'instance-config.yaml', 'config.yaml'].map(
  (name) => `var/lib/kubelet/${name}`,
);

const runtimes = [
  { kind: 'containerd', socket: 'containerd.sock', sign: 'etc/containerd', unit: 'containerd' },
  { kind: 'cri-o', socket: 'crio.sock', sign: 'etc/crio', unit: 'crio' },
] as const;

/**
 * Finds the runtime that the kubelet of a machine uses, where that is none of those that run. `sockets` are where each
 * would listen. Undefined where the kubelet's runs, and where nothing says which one it is.
 */
export async function stoppedRuntime(
  root: string,
  running: ReadonlySet<string>,
  sockets: ReadonlyMap<string, string>,
): Promise<StoppedRuntime | undefined> {
  const words = (await Promise.all(settingsFiles.map((path) => textOf(join(root, path))))).join('\n');
  const named = runtimes.find(({ socket }) => words.includes(socket));
  if (named === undefined && running.size > 0) return undefined;
  for (const { kind, sign, unit } of named === undefined ? runtimes : [named]) {
    if (running.has(kind)) return undefined;
    if (named === undefined && !(await isThere(join(root, sign)))) continue;
    return { kind, at: sockets.get(kind)!, start: `systemctl start ${unit}` };
  }
  return undefined;
}

/** The text of a file; nothing where it cannot be read. */
async function textOf(path: string): Promise<string> {
  return readFile(path).then(
    (bytes) => Buffer.from(bytes).toString(),
    () => '',
  );
}
