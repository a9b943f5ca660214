// Starts the nodes of a lab and keeps them until standard input ends, however the process at its other end came to its
// end: node keeper.ts KUBERNETES PLUGINS WORKERS. The one line on stdout is the lab's place, or why there is none.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { words } from '../home.ts';
import type { Report } from './boot.ts';
import { makeCgroup } from './cgroups.ts';
import { insideEnvironment } from './environment.ts';
import { ownIdentity } from './identity.ts';
import type { StartedNode } from './inside/workers.ts';
import { removeLeftovers, removeNode } from './leftovers.ts';
import { programPath } from './programs.ts';
import { prefix, workerMachines } from './state.ts';

/** What a keeper reports about its lab. */
export type Place =
  | { readonly state: string; readonly pid: number; readonly workers: readonly StartedNode[] }
  | { readonly error: string };

/**
 * The first process of the namespaces. It starts "$@" with its own number outside, which /proc still shows. It runs
 * until its input ends, as it does with the keeper, or until "$@" fails to report. Everything else in the namespaces
 * ends with it. A waiting shell also collects orphaned processes.
 */
const firstProcess = [
  'trap "exit 1" TERM',
  'exec 3<&0',
  'read -r own rest < /proc/self/stat',
  '("$@" "$own" 3<&- || kill -TERM 1) & cat <&3 >/dev/null & wait $!',
].join('\n');

/** Milliseconds that the first process has to end after its input did. */
const grace = 5_000;

const [, , kubernetes = '', plugins = '', workers = '0'] = process.argv;
const name = `${prefix}${ownIdentity()}`;
const state = join(tmpdir(), name);

await main();

async function main(): Promise<void> {
  const released = release();
  // Where the starter has gone, nobody reads the report.
  process.stdout.on('error', () => undefined);
  try {
    await removeLeftovers();
    mkdirSync(state, { mode: 0o700 });
    for (const path of ['', ...workerMachines(Number(workers)).map((one) => `/${one.name}`)])
      makeCgroup(`${name}${path}`);
    await keep(released);
  } catch (error) {
    tell({ error: words(error) });
  } finally {
    await removeNode(state, name);
    // The other end may be held by others, but this process has nothing more to wait for.
    process.stdin.destroy();
  }
}

/** Runs the node until `released`, or until it ends by itself. */
async function keep(released: Promise<unknown>): Promise<void> {
  const boot = [process.execPath, join(import.meta.dirname, 'boot.ts'), state, name, kubernetes, plugins, workers];
  const options = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
  const node = spawn(programPath('unshare'), [...options, 'sh', '-c', firstProcess, 'sh', ...boot], {
    cwd: '/',
    env: insideEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((settle, reject) => {
    node.on('error', (error) => reject(new Error(`unshare cannot be run: ${words(error)}`)));
    node.on('exit', () => settle());
  });
  node.stdin.on('error', () => undefined);
  let out = '';
  let err = '';
  node.stderr.on('data', (chunk) => {
    err = `${err}${chunk}`.slice(-8192);
  });
  const started = new Promise<Report>((settle) => {
    node.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.endsWith('\n')) settle(JSON.parse(out));
    });
    ended.then(
      () => settle({ error: `the node's first process ended: ${err.trim()}` }),
      () => undefined,
    );
  });
  const report = await Promise.race([started, released.then(() => undefined), ended.then(() => started)]);
  if (report) tell('error' in report ? report : { state, ...report });
  if (report && !('error' in report)) await Promise.race([released, ended]);
  node.stdin.end();
  const timer = setTimeout(() => node.kill('SIGKILL'), grace);
  await ended;
  clearTimeout(timer);
}

/** Resolves when the node is no longer wanted. */
function release(): Promise<void> {
  return new Promise((settle) => {
    process.stdin.on('end', settle).on('error', settle).on('close', settle).resume();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => settle());
  });
}

function tell(place: Place): void {
  process.stdout.write(`${JSON.stringify(place)}\n`);
}
