import type { FoundRuntime, Machine } from './machine.ts';

/** A way for images to get to the nodes, as a profile names it. */
export type ImageWay =
  | { readonly way: 'serve'; readonly address: string; readonly hostsDir?: string }
  /** A serve that the other nodes pull from as well, with TLS and a password. */
  | { readonly way: 'shared'; readonly address: string; readonly hostsDir: string }
  /** A serve that somebody else keeps running. */
  | { readonly way: 'served'; readonly address: string; readonly hostsDir?: string }
  | { readonly way: 'registry'; readonly address: string; readonly hostsDir?: string }
  | { readonly way: 'image-folder'; readonly distribution: string }
  | { readonly way: 'containerd'; readonly socket: string }
  | { readonly way: 'image-store'; readonly folder: string };

/** A way for images, and why it was chosen. */
export interface ChosenWay {
  readonly chosen: ImageWay;
  /** One sentence. */
  readonly reason: string;
}

/** Where the `serve` of a node listens: containerd speaks HTTP to this machine alone. */
export const SERVE = 'http://127.0.0.1:5000';

/** The image store of podman and CRI-O. */
export const STORE = '/var/lib/solpack/images';

/** What people call the distributions that import images from a folder. */
const importing: Readonly<Record<string, string>> = { k3s: 'k3s', rke2: 'RKE2', k0s: 'k0s' };

/**
 * Chooses how images get to the nodes of a machine's cluster, which has `nodes` of them; undefined if the number is
 * unknown. `addresses` are those by which nodes reach each other. Undefined where the machine has no runtime that
 * solpack can bring images to.
 */
export function chooseWay(machine: Machine, nodes?: number, addresses: readonly string[] = []): ChosenWay | undefined {
  const { kubernetes, runtimes } = machine;
  const { distribution } = kubernetes;
  const containerd = runtimes.find(({ kind }) => kind === 'containerd');
  const all = runtimes.find(({ mirror }) => mirror !== undefined);
  if (all?.mirror !== undefined) {
    const { mirror: address, hostsDir, mirrors = [] } = all;
    const said = mirrors.find(({ server }) => server === address)?.path;
    const reason = `containerd pulls all images from ${address} already${said === undefined ? '' : `, as ${said} says`}.`;
    return { chosen: { way: 'registry', address, ...(hostsDir === undefined ? {} : { hostsDir }) }, reason };
  }
  const name = importing[distribution];
  if (name !== undefined) {
    const reason = `${name} imports and pins by itself what is in its folder of images.`;
    return { chosen: { way: 'image-folder', distribution }, reason };
  }
  if (containerd !== undefined) return byContainerd(containerd, machine, nodes, addresses);
  if (runtimes.length === 0) return undefined;
  const reason = 'CRI-O and podman read an additional store, and no process has to keep running.';
  return { chosen: { way: 'image-store', folder: STORE }, reason };
}

/**
 * Returns the `serve` of a machine whose address the other nodes know; undefined where none of its addresses is one of
 * those.
 */
export function sharedServe({ addresses: own = [] }: Machine, addresses: readonly string[]): string | undefined {
  const address = own.find((one) => addresses.includes(one));
  if (address === undefined) return undefined;
  return `https://${address.includes(':') ? `[${address}]` : address}:5000`;
}

function byContainerd(
  { at: socket, hostsDir }: FoundRuntime,
  machine: Machine,
  nodes: number | undefined,
  addresses: readonly string[],
): ChosenWay {
  const { systemd } = machine;
  const chosen = { way: 'containerd', socket } as const;
  if (nodes !== undefined && nodes > 1) {
    const address = systemd ? sharedServe(machine, addresses) : undefined;
    if (address !== undefined && hostsDir !== undefined) {
      const reason = `the cluster has ${nodes} nodes, which pull straight from the archives here, with TLS and a password.`;
      return { chosen: { way: 'shared', address, hostsDir }, reason };
    }
    const reason = `the cluster has ${nodes} nodes, and nothing here could serve them all: each node imports.`;
    return { chosen, reason };
  }
  if (!systemd) return { chosen, reason: 'no systemd runs here that could keep "solpack serve" running.' };
  if (hostsDir === undefined)
    return { chosen, reason: 'the configuration of containerd names no config_path for mirrors.' };
  const reason = 'there is one containerd, which pulls straight from the archives: no image is copied.';
  return { chosen: { way: 'serve', address: SERVE, hostsDir }, reason };
}
