import { readFile as read } from 'node:fs/promises';
import * as os from 'node:os';
import { findTool, reasonOf, SolpackError } from '../../../kernel/events/index.ts';
import { printedVersion } from '../../../kernel/machine/index.ts';
import type { Collector } from '../collector.ts';

/** The programs that are asked for their versions. */
const programs = ['helm', 'kubectl', 'containerd', 'runc'] as const;

/** Tells the versions of solpack, Node.js, the system and its programs, and what the machine has. */
export const machine: Collector = {
  name: 'what the machine is',
  collect: async ({ request: { version, environment }, bundle, flow }) => {
    const found: Record<string, string> = {};
    for (const name of programs) {
      try {
        const path = await findTool(flow.host, name, '');
        found[name] = await printedVersion({ name, path }, environment, flow.signal);
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

/** What the system calls itself (os-release(5)). */
async function release(): Promise<string | null> {
  const lines = await read('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(lines)?.[1] ?? null;
}
