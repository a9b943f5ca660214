import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { insideEnvironment } from '../environment.ts';
import { programPath } from '../programs.ts';
import type { Machine } from '../state.ts';

/** A node that accepts Pods. */
export interface StartedNode {
  readonly name: string;
  /** Its first process, by its number outside of the lab. */
  readonly pid: number;
}

/** A worker whose namespaces are there. */
export interface BegunWorker {
  readonly machine: Machine;
  /** A process in its network namespace, by its number in this namespace. */
  readonly process: number;
  /** Resolves once the node is Ready. It has to be connected for that. */
  readonly ready: Promise<StartedNode>;
}

/** The request that `worker.ts` gets. */
interface Order {
  readonly state: string;
  readonly cgroup: string;
  readonly kubernetes: string;
  readonly plugins: string;
  readonly count: string;
}

/**
 * The first process of a worker's namespaces. It prints its own number outside, which /proc still shows, and runs until
 * "$@" fails to report, or until the first process of the control plane's namespaces ends, within which its own are.
 */
const firstProcess = [
  'trap "exit 1" TERM',
  'read -r own rest < /proc/self/stat',
  'echo "$own"',
  '("$@" || kill -TERM 1) & sleep 2147483647 > /dev/null 2>&1 & wait $!',
].join('\n');

/** Makes the namespaces of a worker, and starts `worker.ts` there. */
export async function beginWorker(machine: Machine, order: Order): Promise<BegunWorker> {
  const { state, cgroup, kubernetes, plugins, count } = order;
  const { name } = machine;
  const program = join(import.meta.dirname, '../worker.ts');
  const boot = [process.execPath, program, state, name, cgroup, kubernetes, plugins, count];
  const options = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn(programPath('unshare'), [...options, 'sh', '-c', firstProcess, 'sh', ...boot], {
    cwd: '/',
    detached: true,
    env: insideEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.unref();
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-8192);
  });
  const ended = new Promise<never>((_, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the namespaces of ${name} ended with ${code}: ${said.trim()}`)));
  });
  ended.catch(() => undefined);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => (await Promise.race([lines.next(), ended])).value ?? '';
  const pid = Number(await line());
  const reported = async (): Promise<StartedNode> => {
    const { error } = JSON.parse(await line());
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    return { name, pid };
  };
  const ready = reported();
  ready.catch(() => undefined);
  // unshare makes the network namespace before it forks, and so is in it itself.
  return { machine, process: child.pid!, ready };
}
