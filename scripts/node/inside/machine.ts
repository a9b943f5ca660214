import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../programs.ts';
import { addresses, controlMachine, type Machine, type Paths } from '../state.ts';

/**
 * Settings of the whole machine that kubelet changes, and without which it does not start. They belong to no namespace,
 * so here each is replaced by a plain file of the state folder.
 */
const machineSettings = [
  'kernel/keys/root_maxbytes',
  'kernel/keys/root_maxkeys',
  'kernel/panic',
  'kernel/panic_on_oops',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
];

/** Makes the mounts of the node's own namespace. What its programs write to fixed places goes into the state folder. */
export function mountPrivately({ data }: Paths): void {
  const folder = (name: string): string => {
    const path = join(data, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  mount('-t', 'proc', 'proc', '/proc');
  mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', '/run');
  mount('--bind', folder('log'), '/var/log');
  // Some folders below /var/lib do not exist on this machine. A bind mount would need them; an overlay can make them.
  const layers = `lowerdir=/var/lib,upperdir=${folder('lib')},workdir=${folder('lib-work')}`;
  mount('-t', 'overlay', '-o', layers, 'overlay', '/var/lib');
  const settings = folder('settings');
  for (const name of machineSettings) {
    const own = join(settings, name.replaceAll('/', '.'));
    writeFileSync(own, readFileSync(join('/proc/sys', name)));
    mount('--bind', own, join('/proc/sys', name));
  }
}

/** The network device of every node. */
const device = 'node0';

/**
 * Sets up the network of the control plane's namespace: loopback, and a bridge with nothing on it but the other nodes
 * of its lab. There is no default route, so everything outside of the lab fails at once with "network is unreachable".
 */
export function makeNetwork(workers: readonly Machine[]): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', device, 'type', 'bridge');
  address(controlMachine, workers);
}

/** Connects the namespace of the process `pid`, a worker's, with the bridge of this one. */
export function connectWorker({ name }: Machine, pid: number): void {
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', device, 'netns', String(pid));
  ip('link', 'set', name, 'master', device, 'up');
}

/** Decides whether this namespace is connected with that of the control plane. */
export function isConnected(): boolean {
  return ip('-brief', 'link').includes(device);
}

/** Sets up the network of a worker's namespace, once it is connected. */
export function makeWorkerNetwork(own: Machine, others: readonly Machine[]): void {
  ip('link', 'set', 'lo', 'up');
  address(own, others);
}

/**
 * Gives the namespace the address of its node, and routes to the Pods of the others. The addresses of Services need a
 * route although kube-proxy rewrites them, because the kernel looks for a route first.
 */
function address(own: Machine, others: readonly Machine[]): void {
  ip('address', 'add', `${own.address}/24`, 'dev', device);
  ip('link', 'set', device, 'up');
  ip('route', 'add', addresses.services, 'dev', device);
  for (const { pods, address: via } of others) ip('route', 'add', pods, 'via', via);
}

function mount(...args: string[]): void {
  execute('mount', args);
}

function ip(...args: string[]): string {
  return execute('ip', args);
}

function execute(name: string, args: readonly string[]): string {
  return execFileSync(programPath(name), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
