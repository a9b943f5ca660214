// Starts the programs of the node that has the control plane, as a child of the first process of its namespaces, and
// ends when all nodes of its lab are ready: node boot.ts STATE CGROUP KUBERNETES PLUGINS WORKERS PID. The one line on
// stdout is a `Report`.

import { makeCertificates } from './certificates.ts';
import { type Ask, apiServer } from './inside/api.ts';
import { controlCommands, nodeCommands } from './inside/commands.ts';
import { connectWorker, makeNetwork, mountPrivately } from './inside/machine.ts';
import { writeSettings } from './inside/settings.ts';
import { makeFolders, report, Starter, untilReady } from './inside/start.ts';
import { makeUsers } from './inside/users.ts';
import { beginWorker, type StartedNode } from './inside/workers.ts';
import { controlMachine, pathsOf, workerMachines, workerPaths } from './state.ts';

/** The outcome of a start. */
export type Report =
  | {
      /** The first process of the control plane's node, by its number outside of the lab. */
      readonly pid: number;
      readonly workers: readonly StartedNode[];
    }
  | { readonly error: string };

const [, , state = '', cgroup = '', kubernetes = '', plugins = '', count = '0', pid = ''] = process.argv;
const paths = pathsOf(state);
const machines = workerMachines(Number(count));
const starter = new Starter(paths);

await report(start);

async function start(): Promise<Exclude<Report, { error: string }>> {
  makeFolders(paths);
  for (const machine of machines) makeFolders(workerPaths(paths, machine));
  // Their namespaces are made before this one has mounts that they should not see.
  const workers = await Promise.all(
    machines.map((machine) =>
      beginWorker(machine, { state, cgroup: `${cgroup}/${machine.name}`, kubernetes, plugins, count }),
    ),
  );
  mountPrivately(paths);
  makeNetwork(machines);
  await makeCertificates(paths, machines);
  const users = makeUsers(paths, machines);
  const files = writeSettings(paths, { machine: controlMachine, cgroup, plugins });
  // They start as soon as they are connected.
  for (const { machine, process: own } of workers) connectWorker(machine, own);
  const begun = Promise.all(workers.map(({ ready }) => ready));
  begun.catch(() => undefined);
  const ask = apiServer(paths, users.admin);
  const control = controlCommands(paths, users.file, kubernetes);
  const own = nodeCommands(paths, files, controlMachine, kubernetes);
  const failed = begun.then(() => new Promise<never>(() => undefined));
  await Promise.race([bringUp(control, own, ask), starter.failure, failed]);
  return { pid: Number(pid), workers: await Promise.race([begun, starter.failure]) };
}

/**
 * Starts the programs in the order of their dependencies. Waits until the node accepts Pods, and Pods have everything
 * that they need.
 */
async function bringUp(
  control: ReturnType<typeof controlCommands>,
  own: ReturnType<typeof nodeCommands>,
  ask: Ask,
): Promise<void> {
  const isBase = ({ name }: { name: string }): boolean => ['etcd', 'containerd', 'kube-apiserver'].includes(name);
  const all = [...control, ...own];
  const answers = async (path: string): Promise<boolean> => (await ask(path)) !== undefined;
  const inDefault = '/api/v1/namespaces/default';
  starter.begin(all.filter(isBase));
  await starter.until('the API server is not ready', 'kube-apiserver', () => answers('/readyz'));
  starter.begin(all.filter((command) => !isBase(command)));
  await untilReady(starter, paths, controlMachine, ask);
  for (const object of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
    await starter.until(`${object} is missing`, 'kube-controller-manager', () => answers(`${inDefault}/${object}`));
  }
}
