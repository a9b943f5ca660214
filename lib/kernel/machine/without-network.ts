import { codeOf, findTool, type Host } from '../events/index.ts';
import { runProgram } from './programs.ts';

/** How long the test may take whether programs can be run without a network, in milliseconds. */
const TIMEOUT = 10_000;

/** What precedes a program, by the path of `unshare`. */
const known = new Map<string, Promise<readonly string[]>>();

/**
 * Returns what to put before a program and its arguments so that it has no network, not even to this machine:
 * `unshare`, with a network namespace of its own (Linux network_namespaces(7)). Empty where the system lacks that, or
 * does not allow it to this user. The system is asked once.
 */
export async function withoutNetwork(host: Host, signal: AbortSignal): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const unshare = await findTool(host, 'unshare', '').catch(() => undefined);
  if (unshare === undefined) return [];
  const found = known.get(unshare) ?? probe(unshare, signal);
  known.set(unshare, found);
  return found;
}

async function probe(unshare: string, signal: AbortSignal): Promise<readonly string[]> {
  const command = [unshare, ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--net', '--'];
  try {
    const [program = '', ...args] = [...command, unshare, '--version'];
    const options = { cwd: '/', env: { LANG: 'C.UTF-8' }, timeout: TIMEOUT, limit: 64 * 1024, onLine: () => undefined };
    const { code } = await runProgram(program, args, { ...options, signal });
    return code === 0 ? command : [];
  } catch (error) {
    known.delete(unshare);
    if (codeOf(error) === undefined || signal.aborted) throw error;
    return [];
  }
}
