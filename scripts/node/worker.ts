// Starts the programs of a node without a control plane, as a child of the first process of its namespaces, once it is
// connected with that of the control plane: node worker.ts STATE NAME CGROUP KUBERNETES PLUGINS WORKERS. The one line
// on stdout is `{}`, or an error.
import { readFileSync } from 'node:fs';
import { apiServer } from './inside/api.ts';
import { nodeCommands } from './inside/commands.ts';
import { isConnected, makeWorkerNetwork, mountPrivately } from './inside/machine.ts';
import { writeSettings } from './inside/settings.ts';
import { makeFolders, report, Starter, untilReady } from './inside/start.ts';
import { controlMachine, pathsOf, remoteServer, workerMachines, workerPaths } from './state.ts';

const [, , state = '', name = '', cgroup = '', kubernetes = '', plugins = '', count = '0'] = process.argv;

await report(start);

async function start(): Promise<object> {
  const machines = [controlMachine, ...workerMachines(Number(count))];
  const machine = machines.find((one) => one.name === name);
  if (machine === undefined) throw new Error(`there is no node ${name}`);
  const paths = workerPaths(pathsOf(state), machine);
  const starter = new Starter(paths);
  makeFolders(paths);
  mountPrivately(paths);
  await starter.until('is not connected', undefined, isConnected);
  const others = machines.filter((one) => one !== machine);
  makeWorkerNetwork(machine, others);
  const [containerd, ...kubernetesOwn] = nodeCommands(
    paths,
    writeSettings(paths, { machine, cgroup, plugins }),
    machine,
    kubernetes,
  );
  starter.begin([containerd!]);
  const { users } = JSON.parse(readFileSync(paths.kubeconfig, 'utf8'));
  const ask = apiServer(paths, users[0].user.token, remoteServer);
  const up = async (): Promise<void> => {
    await starter.until('the API server does not answer', undefined, async () => (await ask('/readyz')) !== undefined);
    starter.begin(kubernetesOwn);
    await untilReady(starter, paths, machine, ask);
  };
  await Promise.race([up(), starter.failure]);
  return {};
}
