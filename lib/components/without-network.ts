import { findTool, type Host } from '../host.ts';
import { runProgram } from '../programs.ts';
import { codeOf } from '../system-errors.ts';

/** Milliseconds for the question whether the system lets programs be without a network. */
const TIMEOUT = 10_000;

/** What is put before a program, by where `unshare` lies. */
const known = new Map<string, Promise<readonly string[]>>();

/**
 * What to put before a program and its arguments so that it has no network, not even to this machine: a network namespace of
 * its own (Linux network_namespaces(7)), by `unshare`. Nothing, where the system has none or does not let this user make
 * one. The system is asked once.
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
