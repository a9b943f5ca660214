import { SolpackError } from '../events/index.ts';
import { runProgram } from './programs.ts';

/** How programs are asked for their versions, by their names; those that are not here understand `--version`. */
const words: Readonly<Record<string, readonly string[]>> = {
  helm: ['version', '--short'],
  kubectl: ['version', '--client'],
  kustomize: ['version'],
};

/** Milliseconds that a program may take to tell its version, and most bytes of that. */
const patience = { time: 10_000, bytes: 64 * 1024 } as const;

/**
 * Returns what a program prints of its version. `path` is where the program `name` is; of the environment, it gets PATH
 * and HOME. Throws `tool-failed`, and the error of the system where it cannot be started.
 */
export async function printedVersion(
  { name, path }: { readonly name: string; readonly path: string },
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const { PATH = '', HOME = '/' } = environment;
  const { code, stdout } = await runProgram(path, words[name] ?? ['--version'], {
    ...{ cwd: '/', env: { PATH, HOME }, timeout: patience.time, limit: patience.bytes },
    ...{ onLine: () => undefined, signal },
  });
  if (code !== 0) throw new SolpackError('tool-failed', path, `ended with ${code ?? 'a signal'}`);
  return Buffer.from(stdout).toString().trim();
}
