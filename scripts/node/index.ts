import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue } from './certificates.ts';
import { insideEnvironment } from './environment.ts';
import type { Place } from './keeper.ts';
import { writeCertificateKubeconfig } from './kubeconfig.ts';
import { nodeLacks } from './needs.ts';
import { pluginFolder, programFolder } from './programs.ts';
import { pathsOf } from './state.ts';

/** A running Kubernetes node in network, mount and PID namespaces of its own, without a way out. */
export interface ClusterNode extends AsyncDisposable {
  /** The folder with all files of the node; removed with it. */
  readonly state: string;
  /** The node's first process. All other processes of the node end with it. */
  readonly pid: number;
  /** The process that watches the node, and cleans up after it. */
  readonly keeper: number;
  /** The administrator's kubeconfig; its server answers inside the node only. */
  readonly kubeconfig: string;
  /** containerd's `config_path`, where mirrors of registries are written (`<host>/hosts.toml`). */
  readonly hostsDir: string;
  /** Returns the command line that runs a program inside the node, in the folder `cwd`. */
  enter(program: string, args: readonly string[], cwd?: string): [program: string, ...args: string[]];
  /** Writes a kubeconfig of a user with no rights but those of the test's RBAC rules, and returns its path. */
  userKubeconfig(user: string, groups?: readonly string[]): Promise<string>;
  /** Returns the log of a program of the node: `kubelet`, `containerd`, `etcd`, `kube-apiserver` and so on. */
  logs(program: string): string;
  /** Ends the node; resolves when nothing is left of it. */
  stop(): Promise<void>;
}

/**
 * Starts a node, and waits until it is Ready. The node ends with `stop`, and with this process, however that ends.
 * Throws where something is missing, and with the end of the log of a program that failed.
 */
export async function startNode(): Promise<ClusterNode> {
  const lacks = nodeLacks();
  if (lacks.length > 0)
    throw new Error(`no Kubernetes node can be started here without ${lacks.join(', ')}; run npm run node`);
  const args = [join(import.meta.dirname, 'keeper.ts'), programFolder(), pluginFolder()!];
  // The keeper has a session of its own, and so outlives what ends this process. Its standard input then ends, and it
  // cleans up.
  const keeper = spawn(process.execPath, args, {
    detached: true,
    env: insideEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  keeper.stdin.on('error', () => undefined);
  keeper.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<void>((settle) => keeper.on('close', () => settle()));
  const place = await new Promise<Place>((settle, reject) => {
    keeper.on('error', reject);
    keeper.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.endsWith('\n')) settle(JSON.parse(out));
    });
    ended.then(() => reject(new Error(`the keeper of the node ended: ${err.trim()}`)), reject);
  });
  if ('error' in place) {
    await ended;
    throw new Error(`the Kubernetes node did not start: ${place.error}`);
  }
  return clusterNode(place, keeper.pid!, async () => {
    keeper.stdin.end();
    await ended;
  });
}

function clusterNode(
  { state, pid }: { readonly state: string; readonly pid: number },
  keeper: number,
  stop: () => Promise<void>,
): ClusterNode {
  const paths = pathsOf(state);
  let users = 0;
  return {
    state,
    pid,
    keeper,
    kubeconfig: paths.kubeconfig,
    hostsDir: paths.hosts,
    enter: (program, args, cwd = process.cwd()) => [
      'nsenter',
      ...['--target', String(pid), '--net', '--mount', '--pid', '--'],
      // nsenter starts at the top of the node's file system, and the folder has to be entered from there.
      ...['env', '-C', cwd, program, ...args],
    ],
    userKubeconfig: async (user, groups = []) => {
      users += 1;
      const certificate = `user-${users}`;
      const file = join(state, `${certificate}.kubeconfig`);
      await issue(paths, certificate, { name: user, groups });
      writeCertificateKubeconfig(paths, file, user, certificate);
      return file;
    },
    logs: (program) => readFileSync(join(paths.logs, `${program}.log`), 'utf8'),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
