import { join } from 'node:path';

/** The beginning of the names of nodes' state folders and cgroups; the identity of the keeper follows. */
export const prefix = 'solpack-node-';

/** A node of a lab. */
export interface Machine {
  /** The name of its Node object. */
  readonly name: string;
  readonly address: string;
  /** The addresses of its Pods. */
  readonly pods: string;
}

/**
 * The node that has the control plane. All addresses are in 198.18.0.0/15, which no network uses (RFC 2544 section
 * C.2.2).
 */
export const controlMachine: Machine = { name: 'node', address: '198.18.0.1', pods: '198.18.1.0/24' };

/** Returns the nodes without a control plane, of which there may be a hundred. */
export function workerMachines(count: number): Machine[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `worker-${index + 1}`,
    address: `198.18.0.${index + 2}`,
    pods: `198.18.${index + 2}.0/24`,
  }));
}

/** The addresses that nodes share. */
export const addresses = {
  services: '198.19.0.0/16',
  /** The first address of `services`: the API server's own Service. */
  api: '198.19.0.1',
  dns: '198.19.0.10',
} as const;

/** URL of the API server, inside its node. */
export const server = 'https://127.0.0.1:6443';

/** The same for the other nodes. */
export const remoteServer = `https://${controlMachine.address}:6443`;

/** The image of every Pod's sandbox. */
export const pauseImage = 'pause.solpack.test/pause:1';

/** The paths of a node's files, below its state folder. */
export interface Paths {
  readonly state: string;
  /** The administrator's. */
  readonly kubeconfig: string;
  /** containerd's `config_path`. */
  readonly hosts: string;
  readonly logs: string;
  /** Keys, certificates and tokens. */
  readonly pki: string;
  /** The configuration files of the programs. */
  readonly config: string;
  /** The data of the programs. */
  readonly data: string;
  /** containerd's socket. Its path has to stay below 108 bytes (unix(7)). */
  readonly socket: string;
}

/** Returns the paths of the control plane's node, whose lab has the state folder `state`. */
export function pathsOf(state: string): Paths {
  return {
    state,
    kubeconfig: join(state, 'kubeconfig'),
    hosts: join(state, 'certs.d'),
    logs: join(state, 'logs'),
    pki: join(state, 'pki'),
    config: join(state, 'config'),
    data: join(state, 'data'),
    socket: join(state, 'containerd.sock'),
  };
}

/** Returns the paths of another node of the same lab. Keys and certificates are in one folder for all. */
export function workerPaths({ state, pki }: Paths, { name }: Machine): Paths {
  return { ...pathsOf(join(state, name)), pki };
}
