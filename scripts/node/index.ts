import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue } from './certificates.ts';
import { insideEnvironment } from './environment.ts';
import type { Place } from './keeper.ts';
import { writeCertificateKubeconfig } from './kubeconfig.ts';
import { nodeLacks } from './needs.ts';
import { pluginFolder, programFolder } from './programs.ts';
import {
  controlMachine,
  type Machine,
  type Paths,
  pathsOf,
  remoteServer,
  server,
  workerMachines,
  workerPaths,
} from './state.ts';

/** A running Kubernetes node in network, mount and PID namespaces of its own, without a way out. */
export interface ClusterNode extends AsyncDisposable {
  /** The name of its Node object. */
  readonly name: string;
  /** The address by which the other nodes of its lab reach it. */
  readonly address: string;
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
  /** Ends the node, with all others of its lab; resolves when nothing is left of them. */
  stop(): Promise<void>;
}

/** Starts a node, as `startCluster` starts several. */
export async function startNode(): Promise<ClusterNode> {
  const [node] = await startCluster({ workers: 0 });
  return node;
}

/**
 * Starts a node with a control plane and `workers` without one, which are connected with each other and nothing else,
 * and waits until all are Ready. They end with `stop` of any, and with this process, however that ends. Throws where
 * something is missing, and with the end of the log of a program that failed.
 */
export async function startCluster({
  workers,
}: {
  readonly workers: number;
}): Promise<readonly [control: ClusterNode, ...workers: ClusterNode[]]> {
  const lacks = nodeLacks();
  if (lacks.length > 0)
    throw new Error(`no Kubernetes node can be started here without ${lacks.join(', ')}; run npm run node`);
  const args = [join(import.meta.dirname, 'keeper.ts'), programFolder(), pluginFolder()!, String(workers)];
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
  const stop = async (): Promise<void> => {
    keeper.stdin.end();
    await ended;
  };
  const paths = pathsOf(place.state);
  const machines = workerMachines(workers);
  return [
    clusterNode({ machine: controlMachine, paths, at: server, pid: place.pid, keeper: keeper.pid!, stop }),
    ...place.workers.map(({ pid }, index) => {
      const machine = machines[index]!;
      return clusterNode({
        ...{ machine, paths: workerPaths(paths, machine), at: remoteServer },
        ...{ pid, keeper: keeper.pid!, stop },
      });
    }),
  ];
}

/** What is known of a node that runs. */
interface Started extends Pick<ClusterNode, 'pid' | 'keeper' | 'stop'> {
  readonly machine: Machine;
  readonly paths: Paths;
  /** URL of the API server as it sees it. */
  readonly at: string;
}

function clusterNode({ machine, paths, at, pid, keeper, stop }: Started): ClusterNode {
  const { state } = paths;
  let users = 0;
  return {
    name: machine.name,
    address: machine.address,
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
      const certificate = `user-${machine.name}-${users}`;
      const file = join(state, `${certificate}.kubeconfig`);
      await issue(paths, certificate, { name: user, groups });
      writeCertificateKubeconfig(paths, file, user, certificate, at);
      return file;
    },
    logs: (program) => readFileSync(join(paths.logs, `${program}.log`), 'utf8'),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
