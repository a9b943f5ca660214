import { delimiter } from 'node:path';
import { searchPath } from './programs.ts';

/** Variables that would send a program of the closed node to a proxy that it cannot reach, or to another cluster. */
const outward = /^(?:(?:https?|all|no|ftp)_proxy|kubeconfig)$/i;

/** The environment of a program inside a node: this process's, without what leads out, and with the project's programs. */
export function insideEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name, value]) => value !== undefined && !outward.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: searchPath().join(delimiter) };
}
