import { join } from 'node:path';

/** What the names of state folders and cgroups of nodes begin with; the identity of the node's keeper follows. */
export const prefix = 'solpack-node-';

/** The addresses of a node, out of 198.18.0.0/15, which no network uses (RFC 2544 section C.2.2). */
export const addresses = {
  node: '198.18.0.1',
  nodes: '198.18.0.0/24',
  pods: '198.18.1.0/24',
  services: '198.19.0.0/16',
  /** The first address of `services`: the API server's own Service. */
  api: '198.19.0.1',
  dns: '198.19.0.10',
} as const;

/** The name of the node's one Node object. */
export const nodeName = 'node';

/** Where the API server answers, inside the node. */
export const server = 'https://127.0.0.1:6443';

/** The image that every Pod's sandbox is made of. */
export const pauseImage = 'pause.solpack.test/pause:1';

/** Where a node keeps what, below its state folder. */
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
  /** What the programs write. */
  readonly data: string;
  /** containerd's socket. Its path has to stay below 108 bytes (unix(7)). */
  readonly socket: string;
}

/** The paths of the node whose state folder is `state`. */
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
