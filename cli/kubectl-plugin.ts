import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { homeFolder } from './home.ts';
import type { Io } from './io.ts';

/** What `kubectl solpack` says in short. */
const verbs: readonly string[] = ['plan', 'approve', 'deny', 'status'];

/**
 * Returns what a command line of the plugin stands for: `plan`, `approve`, `deny` and `status` are about approvals,
 * with the kubeconfig that kubectl uses. Any other word is a command of solpack. Several files in KUBECONFIG, which
 * only kubectl merges, name none.
 */
export function pluginWords({ argv, env, cwd }: Pick<Io, 'argv' | 'env' | 'cwd'>): readonly string[] {
  const [verb = '', ...rest] = argv;
  if (!verbs.includes(verb)) return argv;
  const words = ['approval', verb, ...rest];
  if (rest.some((word) => word === '--kubeconfig' || word.startsWith('--kubeconfig='))) return words;
  const file = kubectlFile({ env, cwd });
  return file === undefined ? words : [...words, '--kubeconfig', file];
}

function kubectlFile({ env, cwd }: Pick<Io, 'env' | 'cwd'>): string | undefined {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((one) => one !== '');
  if (listed.length > 0) return listed.length === 1 ? resolve(cwd, listed[0]!) : undefined;
  const home = homeFolder({ env });
  const usual = home === undefined ? undefined : join(home, '.kube', 'config');
  return usual !== undefined && existsSync(usual) ? usual : undefined;
}
