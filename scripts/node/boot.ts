// Starts the programs of a node, as a child of the first process of the node's namespaces, and ends when the node is
// ready: node boot.ts STATE CGROUP KUBERNETES PLUGINS PID. The one line on stdout is a `Report`.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { words } from '../home.ts';
import { busyboxArchive } from './busybox.ts';
import { makeCertificates } from './certificates.ts';
import { type Ask, apiServer, local } from './inside/api.ts';
import { type Command, commands } from './inside/commands.ts';
import { Launcher } from './inside/launch.ts';
import { makeNetwork, mountPrivately } from './inside/machine.ts';
import { writeSettings } from './inside/settings.ts';
import { makeUsers } from './inside/users.ts';
import { programPath } from './programs.ts';
import { nodeName, pathsOf, pauseImage } from './state.ts';

/** The outcome of a start. */
export type Report =
  /** The node's first process, by its number outside of the node. */
  { readonly pid: number } | { readonly error: string };

/** Milliseconds for each step. On two free cores all of them together take five seconds. */
const patience = 120_000;

const proxyHealth = 'http://127.0.0.1:10256/healthz';
const run = promisify(execFile);
const [, , state = '', cgroup = '', kubernetes = '', plugins = '', pid = ''] = process.argv;
const paths = pathsOf(state);
const launcher = new Launcher(paths);

const report: Report = await start().catch((error: unknown) => ({ error: words(error) }));
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());

async function start(): Promise<Report> {
  for (const folder of [paths.hosts, paths.logs, paths.pki, paths.config, join(paths.data, 'tmp')]) {
    mkdirSync(folder, { recursive: true });
  }
  mountPrivately(paths);
  makeNetwork();
  await makeCertificates(paths);
  const users = makeUsers(paths);
  const files = writeSettings(paths, cgroup, plugins);
  const programs = commands(paths, files, users.file, kubernetes);
  const ask = apiServer(paths, users.admin);
  await Promise.race([bringUp(programs, ask), launcher.failure]);
  return { pid: Number(pid) };
}

/**
 * Starts the programs in the order of their dependencies. Waits until the node accepts Pods, and Pods have everything
 * that they need.
 */
async function bringUp(programs: readonly Command[], ask: Ask): Promise<void> {
  const begin = (wanted: (name: string) => boolean): void => {
    for (const program of programs) if (wanted(program.name)) launcher.start(program);
  };
  const isBase = (name: string): boolean => ['etcd', 'containerd', 'kube-apiserver'].includes(name);
  const answers = async (path: string): Promise<boolean> => (await ask(path)) !== undefined;
  const inDefault = '/api/v1/namespaces/default';
  begin(isBase);
  await until('the API server is not ready', 'kube-apiserver', () => answers('/readyz'));
  begin((name) => !isBase(name));
  await until('containerd has not made its socket', 'containerd', () => existsSync(paths.socket));
  await importPause();
  await until('the node is not Ready', 'kubelet', async () => isReady(await ask(`/api/v1/nodes/${nodeName}`)));
  for (const object of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
    await until(`${object} is missing`, 'kube-controller-manager', () => answers(`${inDefault}/${object}`));
  }
  await until('kube-proxy is not healthy', 'kube-proxy', async () => (await local(proxyHealth)) !== undefined);
}

/** Waits until `holds`. Throws after `patience`, with the end of the log of the program on which it depends. */
async function until(lack: string, program: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${lack} after ${patience / 1000} seconds${launcher.tail(program)}`);
    await sleep(50);
  }
}

async function importPause(): Promise<void> {
  const archive = join(paths.data, 'pause.tar');
  writeFileSync(archive, busyboxArchive({ reference: pauseImage, command: ['/bin/sleep', '2147483647'] }));
  await run(programPath('ctr'), ['--address', paths.socket, '--namespace', 'k8s.io', 'images', 'import', archive]);
}

function isReady(node: string | undefined): boolean {
  if (node === undefined) return false;
  const { conditions = [] } = JSON.parse(node).status as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
