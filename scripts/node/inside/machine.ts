import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../programs.ts';
import { addresses, type Paths } from '../state.ts';

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

/**
 * Sets up the network of the node's own namespace: loopback, and a bridge with nothing else on it. There is no default
 * route, so everything outside of the node fails at once with "network is unreachable". The addresses of Services need
 * a route although kube-proxy rewrites them, because the kernel looks for a route first.
 */
export function makeNetwork(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'node0', 'type', 'bridge');
  ip('address', 'add', `${addresses.node}/24`, 'dev', 'node0');
  ip('link', 'set', 'node0', 'up');
  ip('route', 'add', addresses.services, 'dev', 'node0');
}

function mount(...args: string[]): void {
  execute('mount', args);
}

function ip(...args: string[]): void {
  execute('ip', args);
}

function execute(name: string, args: readonly string[]): void {
  execFileSync(programPath(name), args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
