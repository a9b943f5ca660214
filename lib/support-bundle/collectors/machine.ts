import { readFile as read } from 'node:fs/promises';
import * as os from 'node:os';
import { SolpackError } from '../../errors.ts';
import type { Flow } from '../../flow.ts';
import { findTool } from '../../host.ts';
import { runProgram } from '../../programs.ts';
import { reasonOf } from '../../system-errors.ts';
import type { Collector } from '../collector.ts';

/** The programs that are asked for their versions, and how. */
const programs: Readonly<Record<string, readonly string[]>> = {
  helm: ['version', '--short'],
  kubectl: ['version', '--client'],
  containerd: ['--version'],
  runc: ['--version'],
};

/** Milliseconds that a program may take to tell its version, and most bytes of that. */
const patience = { time: 10_000, bytes: 64 * 1024 } as const;

/** Tells the versions of solpack, Node.js, the system and its programs, and what the machine has. */
export const machine: Collector = {
  name: 'what the machine is',
  collect: async ({ request: { version, environment }, bundle, flow }) => {
    const found: Record<string, string> = {};
    for (const [name, args] of Object.entries(programs)) {
      try {
        found[name] = await told(name, args, environment, flow);
      } catch (error) {
        flow.signal.throwIfAborted();
        bundle.missing(`version of ${name}`, error instanceof SolpackError ? error.message : reasonOf(error));
      }
    }
    await bundle.value('versions.json', {
      solpack: version,
      node: process.version,
      system: `${os.type()} ${os.release()} ${os.arch()}`,
      release: await release(),
      programs: found,
    });
    await bundle.value('machine.json', {
      host: os.hostname(),
      processors: os.availableParallelism(),
      memory: { total: os.totalmem(), free: os.freemem() },
      load: os.loadavg(),
      uptime: Math.floor(os.uptime()),
    });
  },
};

async function told(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  flow: Flow,
): Promise<string> {
  const program = await findTool(flow.host, name, '');
  const { PATH = '', HOME = '/' } = environment;
  const options = {
    cwd: '/',
    env: { PATH, HOME },
    timeout: patience.time,
    limit: patience.bytes,
    onLine: () => undefined,
  };
  const { code, stdout } = await runProgram(program, args, { ...options, signal: flow.signal });
  if (code !== 0) throw new SolpackError('tool-failed', program, `ended with ${code ?? 'a signal'}`);
  return Buffer.from(stdout).toString().trim();
}

/** What the system calls itself (os-release(5)). */
async function release(): Promise<string | null> {
  const lines = await read('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(lines)?.[1] ?? null;
}
