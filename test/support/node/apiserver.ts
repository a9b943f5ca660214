import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNode } from '../node.ts';

/** The API server of a node, to be disturbed. */
export interface ApiServer {
  /** Sends its process a signal. */
  send(signal: 'STOP' | 'CONT'): Promise<void>;
  /** Kills it; what runs on the node runs on. */
  kill(): Promise<void>;
  /** Starts it as it was started before; resolves when it answers again. */
  start(): Promise<void>;
}

/** The API server of a node, which has to run. */
export async function apiServerOf(node: TestNode): Promise<ApiServer> {
  const name = 'kube-apiserver';
  const pid = async (): Promise<string> => (await node.ok('pidof', [name])).trim();
  const command = readOf(await node.ok('cat', [`/proc/${await pid()}/cmdline`]));
  const log = join(node.state, 'logs', `${name}.log`);
  return {
    send: async (signal) => {
      await node.ok('kill', [`-${signal}`, await pid()]);
    },
    kill: async () => {
      const old = await pid();
      await node.ok('sh', ['-c', `kill -KILL ${old}; while [ -d /proc/${old} ]; do :; done`]);
    },
    start: async () => {
      await node.ok('sh', ['-c', 'log=$1; shift; setsid "$@" < /dev/null >> "$log" 2>&1 &', 'sh', log, ...command]);
      const ready = 'until kubectl get --raw /readyz > /dev/null 2>&1; do :; done';
      await node.ok('timeout', ['60', 'sh', '-c', ready]).catch((error) => {
        throw new Error(`the API server does not come back: ${readFileSync(log, 'utf8').slice(-2000)}`, {
          cause: error,
        });
      });
    },
  };
}

function readOf(cmdline: string): string[] {
  return cmdline.split('\0').slice(0, -1);
}
