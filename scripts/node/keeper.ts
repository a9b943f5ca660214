// Starts one node and keeps it until standard input ends, however the process at its other end came to its end:
// node keeper.ts KUBERNETES PLUGINS. The one line on stdout is the node's place, or why there is none.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { words } from '../home.ts';
import type { Report } from './boot.ts';
import { makeCgroup } from './cgroups.ts';
import { insideEnvironment } from './environment.ts';
import { ownIdentity } from './identity.ts';
import { removeLeftovers, removeNode } from './leftovers.ts';
import { programPath } from './programs.ts';
import { prefix } from './state.ts';

/** What a keeper tells about its node. */
export type Place = { readonly state: string; readonly pid: number } | { readonly error: string };

/**
 * The first process of the namespaces: it starts "$@" with its own number, which /proc still has as it is outside, and
 * lives until its input ends, which it does with the keeper, or until "$@" failed to report. All else in the namespaces
 * ends with it. A shell that waits also takes notice of the orphans that it is given.
 */
const firstProcess = [
  'trap "exit 1" TERM',
  'exec 3<&0',
  'read -r own rest < /proc/self/stat',
  '("$@" "$own" 3<&- || kill -TERM 1) & cat <&3 >/dev/null & wait $!',
].join('\n');

/** Milliseconds that the first process has to end once its input has. */
const grace = 5_000;

const [, , kubernetes = '', plugins = ''] = process.argv;
const name = `${prefix}${ownIdentity()}`;
const state = join(tmpdir(), name);

await main();

async function main(): Promise<void> {
  const released = release();
  // Nobody is there to be told where the starter is gone.
  process.stdout.on('error', () => undefined);
  try {
    await removeLeftovers();
    mkdirSync(state, { mode: 0o700 });
    makeCgroup(name);
    await keep(released);
  } catch (error) {
    tell({ error: words(error) });
  } finally {
    await removeNode(state, name);
    // Whoever holds its other end, this process has nothing to wait for any more.
    process.stdin.destroy();
  }
}

/** Runs the node until `released`, or until it ends by itself. */
async function keep(released: Promise<unknown>): Promise<void> {
  const boot = [process.execPath, join(import.meta.dirname, 'boot.ts'), state, name, kubernetes, plugins];
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
  if (report) tell('error' in report ? report : { state, pid: report.pid });
  if (report && !('error' in report)) await Promise.race([released, ended]);
  node.stdin.end();
  const timer = setTimeout(() => node.kill('SIGKILL'), grace);
  await ended;
  clearTimeout(timer);
}

/** Settles when the node is no longer wanted. */
function release(): Promise<void> {
  return new Promise((settle) => {
    process.stdin.on('end', settle).on('error', settle).on('close', settle).resume();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => settle());
  });
}

function tell(place: Place): void {
  process.stdout.write(`${JSON.stringify(place)}\n`);
}
