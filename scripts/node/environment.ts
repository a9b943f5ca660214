import { delimiter } from 'node:path';
import { searchPath } from './programs.ts';

/** Variables that would send a program of the closed node to an unreachable proxy, or to another cluster. */
const outward = /^(?:(?:https?|all|no|ftp)_proxy|kubeconfig)$/i;

/**
 * Returns the environment of a program inside a node: that of this process without such variables, and with the
 * project's programs on PATH.
 */
export function insideEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name, value]) => value !== undefined && !outward.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: searchPath().join(delimiter) };
}
