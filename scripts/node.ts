// Gets the programs of a Kubernetes node, or of its control plane alone; with a command, runs it in such a node, which
// is gone afterwards: node scripts/node.ts [--control-plane] [--if-possible] [COMMAND [ARGUMENTS]].
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { words } from './home.ts';
import { buildComponents } from './node/build.ts';
import { insideEnvironment } from './node/environment.ts';
import { startNode } from './node/index.ts';
import { machineLacks } from './node/needs.ts';
import { assets, lackingComponents } from './node/programs.ts';
import { builtFolder, components, controllers, kubernetesRelease } from './node/release.ts';

const line = process.argv.slice(2);
const flag = (name: string): boolean => line[0] === name && line.shift() !== undefined;
// A control plane needs neither root nor what Pods need.
const alone = flag('--control-plane');
// Before tests, a failure is ignored: those that need a node report it again.
const ifPossible = flag('--if-possible');
const [program, ...args] = line;
const quiet = ifPossible || program !== undefined;
const wanted: readonly string[] = alone ? controllers : components;

try {
  const lacks = alone && process.platform === 'linux' ? [] : machineLacks();
  if (lacks.length > 0) throw new Error(`no node can be started here without ${lacks.join(', ')}`);
  await programs();
  if (program !== undefined) process.exitCode = await inNode(program);
} catch (error) {
  console.error(`node: ${words(error)}`);
  process.exitCode = ifPossible ? 0 : 1;
}

/** Makes sure that Kubernetes' programs are there. */
async function programs(): Promise<void> {
  const given = assets(process.env, wanted);
  if (given?.lacks.length === 0) {
    if (!quiet) console.log(`node: Kubernetes' programs are those of KUBEBUILDER_ASSETS, ${given.folder}`);
    return;
  }
  if (given) console.error(`node: KUBEBUILDER_ASSETS is not used: ${given.folder} lacks ${given.lacks.join(', ')}`);
  const folder = builtFolder();
  if (lackingComponents(folder, wanted).length > 0)
    await buildComponents(folder, (what) => console.log(`node: ${what}`));
  if (!quiet) console.log(`node: Kubernetes ${kubernetesRelease()} is in ${folder}`);
}

/** Runs a program in a node of its own, on this terminal. Returns its exit code. */
async function inNode(program: string): Promise<number> {
  const node = await startNode();
  try {
    const [command, ...words] = node.enter(program, args);
    const env = { ...insideEnvironment(), KUBECONFIG: node.kubeconfig };
    const child = spawn(command, words, { env, stdio: 'inherit' });
    // The terminal sends this signal to the program as well, which may continue; the node ends after it.
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => void node.stop());
    return await new Promise((settle, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => settle(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
    });
  } finally {
    await node.stop();
  }
}
