import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { find, ok, run } from './judges.ts';

/** A containerd of a test's own. */
export interface Containerd {
  /** The path of its socket. */
  readonly address: string;
  /** Runs `ctr` on it, in the namespace of Kubernetes' images; it has to succeed. Returns what it printed on stdout. */
  ctr(...args: readonly string[]): Promise<string>;
}

/**
 * Gives a function that starts containerd, without its Kubernetes part, when it is first called, with all of its files
 * below `folder`; it is stopped after the tests of the file. Call it at the top level of a test file. It needs root.
 */
export function ownContainerd(folder: string): () => Promise<Containerd> {
  let running: Promise<Containerd & { stop(): Promise<void> }> | undefined;
  afterAll(async () => (await running?.catch(() => undefined))?.stop());
  return () => {
    running ??= start(join(folder, 'containerd'));
    return running;
  };
}

async function start(folder: string): Promise<Containerd & { stop(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => JSON.stringify(join(folder, name));
  const address = join(folder, 'containerd.sock');
  const settings = `version = 2
root = ${at('root')}
state = ${at('state')}
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
address = ${JSON.stringify(address)}
[ttrpc]
address = ${at('ttrpc.sock')}
[plugins."io.containerd.internal.v1.opt"]
path = ${at('opt')}
`;
  writeFileSync(join(folder, 'config.toml'), settings);
  const child = spawn(find('containerd') ?? 'containerd', ['--config', join(folder, 'config.toml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    if (said.length < 100_000) said += chunk;
  });
  const ended = new Promise<void>((settle) => child.once('close', () => settle()));
  const words = ['--address', address, '--namespace', 'k8s.io'];
  while ((await run('ctr', [...words, 'version'])).code !== 0) {
    if (child.exitCode !== null) throw new Error(`containerd ended:\n${said}`);
    // Clock: between two tries.
    await pause(50);
  }
  return {
    address,
    ctr: (...args) => ok('ctr', [...words, ...args]),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
