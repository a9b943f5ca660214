import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { words } from '../../home.ts';
import { busyboxArchive } from '../busybox.ts';
import { programPath } from '../programs.ts';
import { type Machine, type Paths, pauseImage } from '../state.ts';
import { type Ask, local } from './api.ts';
import type { Command } from './commands.ts';
import { Launcher } from './launch.ts';

/** Milliseconds for each step. On two free cores all of them together take five seconds. */
const patience = 120_000;

const proxyHealth = 'http://127.0.0.1:10256/healthz';
const run = promisify(execFile);

/** Prints what became of a start as the last line of stdout, and ends this process. Errors are put into one line. */
export async function report(start: () => Promise<object>): Promise<void> {
  const outcome = await start().catch((error: unknown) => ({ error: words(error) }));
  process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit());
}

/** Makes the folders of a node. */
export function makeFolders(paths: Paths): void {
  for (const folder of [paths.hosts, paths.logs, paths.pki, paths.config, join(paths.data, 'tmp')]) {
    mkdirSync(folder, { recursive: true });
  }
}

/** Starts programs of a node, and waits for what they are to bring. */
export class Starter {
  /** Rejects as soon as one of the programs has ended. */
  readonly failure: Promise<never>;
  readonly #launcher: Launcher;

  constructor(paths: Paths) {
    this.#launcher = new Launcher(paths);
    this.failure = this.#launcher.failure;
  }

  begin(commands: readonly Command[]): void {
    for (const command of commands) this.#launcher.start(command);
  }

  /** Waits until `holds`. Throws after `patience`, with the end of the log of the program on which it depends. */
  async until(lack: string, program: string | undefined, holds: () => Promise<boolean> | boolean): Promise<void> {
    const end = performance.now() + patience;
    while (!(await holds())) {
      if (performance.now() > end) {
        const log = program === undefined ? '' : this.#launcher.tail(program);
        throw new Error(`${lack} after ${patience / 1000} seconds${log}`);
      }
      await sleep(50);
    }
  }
}

/** Waits until a node whose programs were started accepts Pods. */
export async function untilReady(starter: Starter, paths: Paths, { name }: Machine, ask: Ask): Promise<void> {
  await starter.until('containerd has not made its socket', 'containerd', () => existsSync(paths.socket));
  await importPause(paths);
  await starter.until('the node is not Ready', 'kubelet', async () => isReady(await ask(`/api/v1/nodes/${name}`)));
  await starter.until('kube-proxy is not healthy', 'kube-proxy', async () => (await local(proxyHealth)) !== undefined);
}

async function importPause({ data, socket }: Paths): Promise<void> {
  const archive = join(data, 'pause.tar');
  writeFileSync(archive, busyboxArchive({ reference: pauseImage, command: ['/bin/sleep', '2147483647'] }));
  await run(programPath('ctr'), ['--address', socket, '--namespace', 'k8s.io', 'images', 'import', archive]);
}

function isReady(node: string | undefined): boolean {
  if (node === undefined) return false;
  const { conditions = [] } = JSON.parse(node).status as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
