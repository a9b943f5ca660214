import { type Flow, findInstalled } from '../../kernel/events/index.ts';
import { runProgram } from '../../kernel/machine/index.ts';
import type { FoundRuntime } from './machine.ts';

/** What asks a runtime, and what it prints of the server. */
const asked = {
  containerd: {
    name: 'ctr',
    args: (at: string) => ['--address', at, 'version'],
    says: /^Server:\n +Version: +v?(\S+)/m,
  },
  'cri-o': { name: 'crio', args: () => ['--version'], says: /^crio version (\S+)/m },
  podman: { name: 'podman', args: () => ['--version'], says: /^podman version (\S+)/m },
} as const;

/**
 * Asks a container runtime for its version; undefined where it does not tell, or the program that asks it is missing.
 */
export async function runtimeVersion(kind: FoundRuntime['kind'], at: string, flow: Flow): Promise<string | undefined> {
  const { name, args, says } = asked[kind];
  const program = await findInstalled(flow.host, name);
  if (program === undefined) return undefined;
  const { signal } = flow;
  const options = { cwd: '/', env: {}, timeout: 5_000, limit: 64 * 1024, signal, onLine: () => undefined };
  const ended = await runProgram(program, args(at), options).catch(() => undefined);
  signal.throwIfAborted();
  return ended === undefined ? undefined : says.exec(Buffer.from(ended.stdout).toString())?.[1];
}
